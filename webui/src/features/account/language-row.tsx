import { Button } from "@/components/button/button";
import { SettingsRow } from "@/components/settings/settings";
import accountTexts from "@/messages/en/account.json";
import { apiSend } from "@/lib/api/api-client";
import { useMemberArea } from "@/lib/member/member-context";
import { useMemberAction } from "@/lib/member/use-member-action";
import { LANGUAGES, showIn } from "@/lib/text/languages";
import { LANGUAGE, translator } from "@/lib/text/messages";

const t = translator(accountTexts);

/** The language of the site and of emails; the page loads again in it. */
export function LanguageRow() {
  const { member } = useMemberArea();
  const { busy, run } = useMemberAction();
  const choose = async (language: string) => {
    const isKept = await run(() => apiSend("PUT /user/update-profile", { language }));
    if (isKept && language !== LANGUAGE) showIn(language);
  };
  // The page may be in another language than the member's, such as after the link in the footer.
  const emailsElsewhere =
    member.language === LANGUAGE ? [] : [t("language.emails", { language: nameOf(member.language) })];
  return (
    <SettingsRow text={[t("language.text"), ...emailsElsewhere].join(" ")} title={t("language")}>
      <div aria-label={t("language")} className="row" role="group">
        {LANGUAGES.map(([code, name]) => (
          <Button
            aria-pressed={code === LANGUAGE}
            disabled={busy}
            key={code}
            kind={code === LANGUAGE ? "ink" : "line"}
            lang={code}
            onClick={() => void choose(code)}
            size="sm"
          >
            {name}
          </Button>
        ))}
      </div>
    </SettingsRow>
  );
}

function nameOf(language: string): string {
  return new Intl.DisplayNames(LANGUAGE, { type: "language" }).of(language) ?? language;
}
