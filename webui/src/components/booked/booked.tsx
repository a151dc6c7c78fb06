import { SampleTag } from "@/components/badge/badge";
import commonTexts from "@/messages/en/common.json";
import { bookedParts } from "@/lib/text/booked";
import { translator } from "@/lib/text/messages";

const t = translator(commonTexts);

/** Words of the books in the reader's language; that they are about a sample is a mark beside them. */
export function Booked({ written }: { readonly written: string }) {
  const { text, isSample } = bookedParts(written);
  if (!isSample) return text;
  return (
    <>
      {text} <SampleTag>{t("sample")}</SampleTag>
    </>
  );
}
