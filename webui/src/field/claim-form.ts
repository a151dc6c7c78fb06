// The form of a claim: the photo of a receipt, what it says, and where to pay it back.

import type { ClaimChoices } from "@/api/schema";
import { ambiguousReadings, numberForm, readNumber } from "@/lib/text/number-reading";
import { fieldReport } from "@/rules.json";
import { button, choice, element, labelled } from "./elements";
import { PhotoRow } from "./photo-row";
import type { ClaimDraft, Report } from "./store";
import { say } from "./texts";

const TEXT = { autocomplete: "off", maxlength: String(fieldReport.shopChars) } as const;
const MONEY = { inputmode: "decimal", autocomplete: "off", maxlength: "20" } as const;

export class ClaimForm {
  readonly element = element("form", { class: "card", novalidate: true });
  readonly #amount = element("input", { id: "amount", ...MONEY });
  readonly #currency = element("select", { id: "currency" });
  readonly #cost = element("input", { id: "cost", ...MONEY });
  readonly #rate = element("input", { id: "rate", ...TEXT });
  readonly #foreign = element("div", { class: "foreign", hidden: true });
  readonly #day = element("input", { id: "day", type: "date", max: today() });
  readonly #shop = element("input", { id: "shop", ...TEXT });
  readonly #purpose = element("select", { id: "purpose" });
  readonly #repay = element("input", { id: "repay", ...TEXT, maxlength: String(fieldReport.repayChars) });
  readonly #note = element("textarea", { id: "note", rows: "2", maxlength: "500" });
  readonly #again = choice("checkbox", { id: "again" }, say("again"));
  readonly #problem = element("p", { class: "problem", role: "alert", hidden: true });
  readonly #photos: PhotoRow;

  constructor(
    private readonly choices: ClaimChoices,
    readonly report: Report,
    keep: () => void,
    send: () => void,
  ) {
    this.#photos = new PhotoRow(report.key, (problem) => {
      this.complain(problem);
      keep();
    });
    const names = new Intl.DisplayNames([say("language")], { type: "currency" });
    const codes = [choices.currency, ...choices.currencies];
    this.#currency.append(...codes.map((code) => element("option", { value: code }, `${code} – ${names.of(code)}`)));
    const purposes = choices.purposes.map((name) => element("option", { value: name }, name));
    this.#purpose.append(element("option", { value: "" }, say("choose")), ...purposes);
    this.#foreign.append(
      labelled(say("cost", { currency: choices.currency }), this.#cost, say("costHint")),
      labelled(say("rate"), this.#rate, say("rateHint")),
    );
    this.element.append(
      this.#photos.element,
      labelled(say("amount"), this.#amount),
      labelled(say("currency"), this.#currency),
      this.#foreign,
      labelled(say("day"), this.#day),
      labelled(say("shop"), this.#shop),
      labelled(say("purpose"), this.#purpose),
      labelled(say("repay"), this.#repay, say("repayHint")),
      labelled(say("note"), this.#note),
      this.#problem,
      this.#again,
      button(say("send"), send, "action"),
    );
    this.#show(report.draft as ClaimDraft);
    this.complain(report.problem === "" ? "" : say("problem", { message: report.problem }));
    this.element.addEventListener("input", () => {
      this.#showForeign();
      keep();
    });
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      send();
    });
  }

  async load(): Promise<void> {
    await this.#photos.load();
  }

  complain(problem: string): void {
    this.#problem.textContent = problem;
    this.#problem.hidden = problem === "";
  }

  focus(): void {
    this.#amount.focus();
  }

  /** What is written now; amounts with a point, and as they were typed. */
  get draft(): ClaimDraft {
    const typed = { amount: this.#amount.value, cost: this.#isForeign ? this.#cost.value : "" };
    return {
      currency: this.#currency.value,
      amount: this.#read(typed.amount, this.#currency.value).value ?? "",
      cost: this.#read(typed.cost, this.choices.currency).value ?? "",
      rateSource: this.#isForeign ? this.#rate.value.trim() : "",
      spentOn: this.#day.value,
      shop: this.#shop.value,
      purpose: this.#purpose.value,
      repayTo: this.#repay.value,
      note: this.#note.value,
      again: this.#asked && this.#box.checked,
      typed,
      isAsked: this.#asked,
    };
  }

  /** What has to be written before it can be sent; empty if nothing. */
  get lack(): string {
    const { amount, cost, rateSource, spentOn, shop, purpose, repayTo, again, typed } = this.draft;
    if (this.#photos.count === 0) return say("missingPhoto");
    const fault = this.#faultOf(typed.amount, this.#currency.value) || this.#faultOf(typed.cost, this.choices.currency);
    if (fault !== "") return fault;
    if ([amount, spentOn, shop.trim(), purpose, repayTo.trim()].includes("")) return say("missing");
    if (spentOn > today()) return say("future");
    if (cost !== "" && rateSource === "") return say("missingRate");
    return this.#asked && !again ? say("missingAgain") : "";
  }

  get isEmpty(): boolean {
    const { shop, purpose, repayTo, note, typed } = this.draft;
    const written = [shop, purpose, repayTo, note ?? "", typed.amount, typed.cost];
    return !this.isBusy && this.#photos.count === 0 && written.every((one) => one === "");
  }

  /** Whether nobody writes in it, so that another claim may take its place. */
  get isUntouched(): boolean {
    return this.isEmpty && !this.element.contains(document.activeElement);
  }

  get isBusy(): boolean {
    return this.#photos.isBusy;
  }

  get #isForeign(): boolean {
    return this.#currency.value !== this.choices.currency;
  }

  /** Whether the organisation asked if it was paid twice. */
  get #asked(): boolean {
    return !this.#again.hidden;
  }

  get #box(): HTMLInputElement {
    return this.#again.querySelector("input") as HTMLInputElement;
  }

  #show(draft: ClaimDraft): void {
    this.#amount.value = draft.typed.amount;
    this.#currency.value = draft.currency || this.choices.currency;
    this.#cost.value = draft.typed.cost;
    this.#rate.value = draft.rateSource ?? "";
    this.#day.value = draft.spentOn || today();
    this.#shop.value = draft.shop;
    this.#purpose.value = draft.purpose;
    if (this.#purpose.selectedIndex < 0) this.#purpose.value = ""; // it cannot be claimed any more
    this.#repay.value = draft.repayTo;
    this.#note.value = draft.note ?? "";
    this.#again.hidden = !draft.isAsked;
    this.#box.checked = draft.again ?? false;
    this.#showForeign();
  }

  #showForeign(): void {
    this.#foreign.hidden = !this.#isForeign;
  }

  #read(typed: string, currency: string) {
    const { maximumFractionDigits = 2 } = new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions();
    return readNumber(typed, maximumFractionDigits, numberForm(say("language")));
  }

  /** What is wrong with an amount, in a sentence; empty for nothing. */
  #faultOf(typed: string, currency: string): string {
    const { value, fault } = this.#read(typed, currency);
    if (fault === "empty" || (value !== null && Number(value) > 0)) return "";
    if (fault === "ambiguous") return say("ambiguousNumber", ambiguousReadings(typed, say("language")));
    return say("wrongNumber", { value: typed });
  }
}

/** Today by the phone's clock, as a field for days has it. */
function today(): string {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}
