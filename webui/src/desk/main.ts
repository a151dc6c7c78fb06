// The desk: an operator's phone reads in one sentence what waits, and signs it.

import "@/styles/tokens.css";
import "@/field/field.css";
import "./desk.css";
import { button, element } from "@/field/elements";
import { say, speak, spoken } from "@/field/texts";
import { actCard, sayTime } from "./act";
import type { Outcome } from "./act";
import { call, keepSession, Refusal } from "./calls";
import type { Decided, Desk, Invitation, Made, Opened, ToSign } from "./calls";
import { canSign, forget, make, sign } from "./passkey";
import { explain, isCancelled } from "./problems";

const INVITATION = "#invitation=";

const main = element("div", { class: "page" });
const notice = element("p", { class: "notice", role: "status", hidden: true });
const problem = element("p", { class: "problem", role: "alert", hidden: true });

speak(document.documentElement.lang);
document.querySelector("#desk")?.append(main);
document.querySelector("main")?.after(languageLinks());
addEventListener("hashchange", open);
open();

function open(): void {
  complain("");
  const code = location.hash.startsWith(INVITATION) ? location.hash.slice(INVITATION.length) : "";
  if (!canSign()) show(say("heading"), element("p", {}, say("cannotSign")), element("p", {}, say("howElse")));
  else if (code === "") showDoor();
  else void showInvitation(code);
}

/** Shows a page with its heading, which a screen reader reads first. */
function show(title: string, ...parts: readonly HTMLElement[]): void {
  const heading = element("h1", { tabindex: "-1" }, title);
  main.replaceChildren(heading, notice, problem, ...parts);
  document.title = `${title} · ${document.querySelector("#organisation")?.textContent ?? ""}`;
  heading.focus({ preventScroll: true });
}

function tell(text: string): void {
  notice.textContent = text;
  notice.hidden = text === "";
}

function complain(text: string): void {
  problem.textContent = text;
  problem.hidden = text === "";
}

// ---------------------------------------------------------------- signing in

function showDoor(): void {
  keepSession(null);
  const enter = button(say("enter"), () => void signIn(enter), "action");
  const how = element("details", {}, element("summary", {}, say("noPasskey")), element("p", {}, say("getInvited")));
  show(say("heading"), element("p", {}, say("about")), enter, how);
}

async function signIn(enter: HTMLButtonElement): Promise<void> {
  complain("");
  enter.disabled = true;
  try {
    const signed = await sign(await call<ToSign>("POST", "/session/options"));
    keepSession(await call<Opened>("POST", "/session", signed));
    tell("");
    await showDesk();
  } catch (error) {
    if (isCancelled(error)) forget();
    complain(isCancelled(error) ? say("noneOrCancelled") : explain(error));
  } finally {
    enter.disabled = false;
  }
}

// ---------------------------------------------------------------- what waits

async function showDesk(): Promise<void> {
  const desk = await call<Desk>("GET", "/waiting");
  const cards = await Promise.all(desk.waiting.map((act) => actCard(act, decided, lost)));
  const empty = cards.length === 0 ? [element("p", {}, say("nothingWaits"))] : [];
  const last = desk.decided.length === 0 ? [] : [lastDecisions(desk.decided)];
  const again = button(say("again"), () => void showDesk().catch(lost));
  show(say("waits", { operator: desk.operator }), ...empty, ...cards, ...last, again);
}

function lastDecisions(acts: readonly Decided[]): HTMLElement {
  const rows = acts.map((act) => {
    const words = say(act.state === "refused" ? "wasRefused" : "wasApproved", { name: act.decidedBy, when: sayTime(act.decidedAt) });
    return element("li", {}, element("strong", {}, act.effect), element("span", { class: "hint" }, words));
  });
  return element("section", { "aria-labelledby": "last" }, element("h2", { id: "last" }, say("last")), element("ul", { class: "reports" }, ...rows));
}

function decided({ act, decision }: Outcome): void {
  const place = decision.leaf === null ? "" : ` ${say("leaf", { leaf: decision.leaf })}`;
  tell(`${say(`done_${decision.state}`, { effect: act.effect })}${place}`);
  void showDesk().catch(lost);
}

/** The session is over, or somebody else was faster. */
function lost(error: unknown): void {
  const isOver = error instanceof Refusal && error.status === 401;
  if (isOver) showDoor();
  else if (error instanceof Refusal && error.status === 410) {
    void showDesk().then(() => complain(error.message), lost);
    return;
  }
  complain(explain(error));
}

// ---------------------------------------------------------------- invitations

async function showInvitation(code: string): Promise<void> {
  try {
    const page = await call<Invitation>("POST", "/invitation", { code });
    const start = button(say("makeKey"), () => void accept(code, page, start), "action");
    const about = say("invited", { name: page.name, organisation: page.organisation, inviter: page.invitedBy });
    show(say("invitation"), element("p", {}, about), element("p", {}, say("makeHint")), start);
  } catch (error) {
    show(say("invitation"), element("p", {}, say("getInvited")));
    complain(explain(error));
  }
}

async function accept(code: string, page: Invitation, start: HTMLButtonElement): Promise<void> {
  complain("");
  start.disabled = true;
  try {
    const key = await make(page);
    const { id, clientData, attestation } = key;
    const made = await call<Made>("POST", "/invitation/accept", { code, id, clientData, attestation });
    const words = key.words || made.words;
    history.replaceState(null, "", location.pathname + location.search);
    if (words !== made.words) return complain(say("otherWords"));
    show(
      say("yourWords"),
      element("p", { class: "words" }, element("strong", {}, words)),
      element("p", {}, say("readWords", { inviter: page.invitedBy })),
      button(say("toDesk"), showDoor),
    );
  } catch (error) {
    complain(isCancelled(error) ? say("notMade") : explain(error));
  } finally {
    start.disabled = false;
  }
}

function languageLinks(): HTMLElement {
  const names: Readonly<Record<string, string>> = { en: "English", fr: "Français" };
  const links = Object.entries(names)
    .filter(([code]) => code !== spoken())
    .map(([code, name]) => {
      const link = element("a", { href: `?lang=${code}`, lang: code, hreflang: code }, name);
      link.addEventListener("click", () => (link.href = `?lang=${code}${location.hash}`));
      return link;
    });
  return element("footer", {}, ...links);
}
