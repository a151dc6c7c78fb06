import { useState } from "react";
import { Button } from "@/components/button/button";
import { RadioCards } from "@/components/radio-cards/radio-cards";
import { ResourceView } from "@/components/resource-view/resource-view";
import { Skeleton } from "@/components/skeleton/skeleton";
import type { EmailChoice as Choice, EmailKind } from "@/api/schema";
import emailsTexts from "@/messages/en/emails.json";
import { useResource } from "@/lib/api/resource";
import { translator } from "@/lib/text/messages";
import styles from "./email-choice.module.css";

const t = translator(emailsTexts);

const GROUPS = ["votes", "news", "always"] as const;

type EmailChoiceProps = {
  readonly chosen: Choice;
  readonly isMember: boolean;
  readonly busy: boolean;
  readonly onSave: (choice: Choice) => void;
};

/** The choices of emails, with what each kind of email is about. Readers have two choices. */
export function EmailChoice({ chosen, isMember, busy, onSave }: EmailChoiceProps) {
  const state = useResource("/emails");
  const [choice, setChoice] = useState(chosen);
  const [stored, setStored] = useState(chosen);
  if (stored !== chosen) {
    setStored(chosen);
    setChoice(chosen);
  }
  return (
    <ResourceView skeleton={<Skeleton shape="block" />} state={state} what={t("failed")}>
      {({ choices, kinds }) => (
        <div className={styles.choice}>
          <RadioCards
            cards={choices
              .filter(({ name }) => isMember || name === "monthly" || name === "nothing")
              .map(({ name, about }) => ({ value: name, label: t(`choice.${name}`), note: about }))}
            legend={t("legend")}
            onChange={setChoice}
            value={choice}
          />
          <Button
            busy={busy ? t("saving") : false}
            onClick={() => onSave(choice)}
            size="sm"
          >
            {t("save")}
          </Button>
          <Kinds kinds={kinds.filter(({ to }) => to.includes(isMember ? "members" : "readers"))} />
        </div>
      )}
    </ResourceView>
  );
}

function Kinds({ kinds }: { readonly kinds: readonly EmailKind[] }) {
  return (
    <details className={styles.kinds}>
      <summary>{t("kinds")}</summary>
      {GROUPS.map((group) => {
        const own = kinds.filter(({ consent }) => consent === group);
        return own.length === 0 ? null : (
          <div key={group}>
            <b>{t(`kinds.${group}`)}</b>
            <ul aria-label={t(`kinds.${group}`)}>
              {own.map(({ name, about }) => (
                <li key={name}>{about}</li>
              ))}
            </ul>
          </div>
        );
      })}
    </details>
  );
}
