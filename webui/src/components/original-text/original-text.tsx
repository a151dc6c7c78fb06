import { RichHtml } from "@/components/rich-html/rich-html";
import commonTexts from "@/messages/en/common.json";
import { translator } from "@/lib/text/messages";
import { originalOf } from "@/lib/text/written";

const t = translator(commonTexts);

/** The original of a translated text, one press away; nothing where the text is the original. */
export function OriginalText({ item }: { readonly item: { readonly language: string } }) {
  const texts = originalOf(item);
  if (texts.length === 0) return null;
  return (
    <details>
      <summary>{t("original.show")}</summary>
      <div dir="auto" lang={item.language}>
        {texts.map(([key, text]) =>
          text.startsWith("<") ? (
            <RichHtml html={text} key={key} />
          ) : (
            <p key={key}>{text}</p>
          ),
        )}
      </div>
    </details>
  );
}
