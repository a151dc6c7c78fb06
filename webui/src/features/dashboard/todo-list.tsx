import { useId, useState } from "react";
import type { TodoItem } from "@/api/schema";
import { Badge } from "@/components/badge/badge";
import { ButtonLink, IconButton } from "@/components/button/button";
import { Card } from "@/components/card/card";
import { Checkbox } from "@/components/field/checkbox";
import membershipTexts from "@/messages/en/membership.json";
import todoTexts from "@/messages/en/todo.json";
import { apiSend } from "@/lib/api/api-client";
import { translator } from "@/lib/text/messages";
import { useFailureNotice } from "@/lib/ui/use-failure-notice";
import { paths } from "@/lib/page/paths";
import { useMemberArea } from "@/lib/member/member-context";
import { ChatButton } from "./chat-button";
import styles from "./dashboard.module.css";

const t = translator(membershipTexts);

/** The to-do list, with a counter; it folds, and the server stores what is done. */
export function TodoList() {
  const { items, toggle } = useTodo();
  const [open, setOpen] = useState(true);
  const id = useId();
  const done = items.filter((item) => item.completed).length;
  const total = items.length;
  return (
    <Card label={t("todo")}>
      <div className={styles.todoHead}>
        <h2 className={styles.title}>{t("todo")}</h2>
        <div className={styles.todoEnd}>
          <Badge>
            <span aria-hidden="true">{t("todo.count", { done, total })}</span>
            <span aria-live="polite" className="vh">
              {t("todo.count-label", { done, total })}
            </span>
          </Badge>
          <IconButton
            aria-controls={id}
            aria-expanded={open}
            className={open ? styles.up : undefined}
            icon="down"
            label={open ? t("todo.collapse") : t("todo.expand")}
            onClick={() => setOpen(!open)}
          />
        </div>
      </div>
      <div hidden={!open} id={id}>
        {done === total && total > 0 ? <p className={styles.all}>{t("todo.all")}</p> : null}
        <ul className={styles.todo}>
          {items.map((item) => (
            <li className={item.completed ? styles.completed : undefined} key={item.id}>
              <Checkbox
                checked={item.completed}
                onChange={(event) => toggle(item.id, event.target.checked)}
              >
                <b>{item.title}</b>
                <small>{item.description}</small>
              </Checkbox>
              <TodoAction item={item} />
            </li>
          ))}
        </ul>
      </div>
    </Card>
  );
}

function TodoAction({ item }: { readonly item: TodoItem }) {
  const look = { kind: item.completed ? "quiet" : "line", size: "sm" } as const;
  if (item.actionText === "") return null;
  if (item.icon !== "chat") {
    return (
      <ButtonLink {...look} to={paths.share}>
        {item.actionText}
      </ButtonLink>
    );
  }
  return <ChatButton {...look}>{item.actionText}</ChatButton>;
}

// Optimistic: reverts if the server does not store the change.
function useTodo() {
  const { member, reload } = useMemberArea();
  const [pressed, setPressed] = useState<Readonly<Record<string, boolean>>>({});
  const failure = useFailureNotice();
  const items = member.todo.map((item) => ({
    ...item,
    ...textsOf(item),
    completed: pressed[item.id] ?? item.completed,
  }));
  const toggle = (id: string, completed: boolean) => {
    setPressed((all) => ({ ...all, [id]: completed }));
    apiSend(`PUT /user/todo/${encodeURIComponent(id)}`, { completed }).then(reload, (error: unknown) => {
      setPressed((all) => ({ ...all, [id]: !completed }));
      failure.show(error);
    });
  };
  return { items, toggle };
}

const KNOWN = ["invite-a-friend", "spread-the-word", "join-the-conversation"] as const;

/** The texts of an item in the language of the page; those of the server if the site knows none. */
function textsOf(item: TodoItem): Pick<TodoItem, "title" | "description" | "actionText"> {
  const known = KNOWN.find((id) => id === item.id);
  // A constant, so that the English page does not load these texts.
  if (import.meta.env.JARA_LANGUAGE === "en" || known === undefined) return item;
  const todo = translator(todoTexts);
  return {
    title: todo(known),
    description: todo(`${known}-text`),
    actionText: todo(`${known}-go`),
  };
}
