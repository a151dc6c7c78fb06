// One act that waits: what it does, who asks, and the two decisions.

import { button, element } from "@/field/elements";
import { say, spoken } from "@/field/texts";
import { digest, hex, utf8, wordsOf } from "./bytes";
import { call, Refusal } from "./calls";
import type { Act, Decision, ToSign } from "./calls";
import { paperRows } from "./papers";
import { sign } from "./passkey";
import { explain, isCancelled } from "./problems";

export interface Outcome {
  readonly act: Act;
  readonly decision: Decision;
}

/** A card; `done` hears of a decision, `lost` of what the whole desk has to know. */
export async function actCard(act: Act, done: (outcome: Outcome) => void, lost: (error: Refusal) => void): Promise<HTMLElement> {
  const hash = await digest(utf8(act.document));
  const words = wordsOf(hash);
  const problem = element("p", { class: "problem", role: "alert", hidden: true });
  const exact = element("pre", { tabindex: "0" }, act.document);
  const reason = element("textarea", { id: `why-${act.id}`, rows: "3", maxlength: "500" });
  const refusing = element("div", { class: "row", hidden: true }, element("label", { for: reason.id }, say("reason")), reason);
  const yes = button(say("approve"), () => void decide(null), "action");
  const no = button(say("refuse"), () => void refuse());

  async function refuse(): Promise<void> {
    if (refusing.hidden) {
      refusing.hidden = false;
      reason.focus();
      return;
    }
    const why = reason.value.trim();
    if (why === "") return complain(say("needsReason"));
    await decide(why);
  }

  async function decide(why: string | null): Promise<void> {
    complain("");
    yes.disabled = no.disabled = true;
    let isSent = false;
    try {
      const path = `/waiting/${act.id}`;
      const asked = await call<ToSign>("POST", `${path}/options`, why === null ? undefined : { why });
      if (!isOf(asked.statement, act, hex(hash), why)) return complain(say("changed"));
      exact.textContent = `${act.document}\n\n${asked.statement}`;
      const signed = await sign(asked);
      isSent = true;
      const verb = why === null ? "approve" : "refuse";
      done({ act, decision: await call<Decision>("POST", `${path}/${verb}`, why === null ? signed : { ...signed, why }) });
    } catch (error) {
      if (isCancelled(error)) complain(say("cancelled"));
      else if (error instanceof Refusal && (error.status === 401 || error.status === 410) && error.code !== "not_verified") lost(error);
      else complain(error instanceof Refusal && error.code === "" && isSent ? say("sentBlind") : explain(error));
    } finally {
      yes.disabled = no.disabled = false;
    }
  }

  function complain(text: string): void {
    problem.textContent = text;
    problem.hidden = text === "";
  }

  const facts = act.facts.map(({ name, text }) => element("div", {}, element("dt", {}, name), element("dd", {}, text)));
  const isSame = words === act.words;
  return element(
    "article",
    { class: "card", "aria-labelledby": `effect-${act.id}` },
    element("h2", { id: `effect-${act.id}` }, act.effect),
    ...lines(act).map((line) => element("p", {}, line)),
    ...paperRows(act, (error) => complain(explain(error))),
    element("p", { class: "words" }, element("span", { class: "label" }, say("words")), element("strong", {}, words)),
    element("p", { class: "hint" }, isSame ? say("compare") : say("otherWords")),
    element("details", {}, element("summary", {}, say("facts")), element("dl", {}, ...facts)),
    element("details", {}, element("summary", {}, say("exact")), element("p", { class: "hint" }, say("exactHint")), exact),
    problem,
    ...(act.mayDecide && act.obstacle === "" && isSame ? [refusing, element("div", { class: "choices" }, yes, no)] : []),
  );
}

function lines(act: Act): readonly string[] {
  const asked = say("asked", { name: act.askedBy, when: sayTime(act.askedAt) });
  const people = say("people", { signed: act.signedBy.length, needed: act.needed, names: act.signedBy.join(", ") });
  const why = act.why === "" ? [] : [say("why", { why: act.why })];
  const impossible = act.obstacle === "" ? [] : [say("impossible", { reason: act.obstacle })];
  return [...(act.remains === "" ? [] : [act.remains]), ...why, asked, people, ...impossible, ...(act.hint === "" ? [] : [act.hint])];
}

/** Whether a statement is of this act, as its document stands on the screen. */
function isOf(statement: string, act: Act, hash: string, why: string | null): boolean {
  const said = JSON.parse(statement) as { verb?: string; arguments?: Record<string, unknown> };
  const values = said.arguments ?? {};
  if (why === null) return said.verb === act.action && values["act"] === hash;
  return said.verb === "approvals refuse" && values["approval"] === act.id && values["why"] === why;
}

export function sayTime(instant: string): string {
  return new Intl.DateTimeFormat(spoken(), { dateStyle: "long", timeStyle: "short" }).format(new Date(instant));
}
