// The form of a report. What is written is kept at once, so that a closed page loses nothing.

import type { FieldPage } from "@/api/schema";
import { ambiguousReadings, numberForm, readNumber } from "@/lib/text/number-reading";
import { fieldReport } from "@/rules.json";
import { button, choice, element, labelled } from "./elements";
import { PhotoRow } from "./photo-row";
import { rounded } from "./photos";
import type { Place, Report, ReportDraft } from "./store";
import { say, sayDay } from "./texts";

const NUMBER = new RegExp(`^${fieldReport.number}$`);
const DECIMALS = 3;
const SEARCH_MS = 20_000;

type Answer = "yes" | "nobody" | "no" | null;

export class ReportForm {
  readonly element = element("form", { class: "card", novalidate: true });
  readonly #title = element("input", { id: "title", maxlength: String(fieldReport.titleChars), autocomplete: "off" });
  readonly #text = element("textarea", { id: "text", rows: "5", maxlength: String(fieldReport.textChars) });
  readonly #milestone = element("select", { id: "milestone" });
  readonly #numbers = new Map<string, HTMLInputElement>();
  readonly #consent = element("fieldset", { hidden: true });
  readonly #place = element("input", { type: "checkbox", id: "place" });
  readonly #placeNote = element("p", { class: "hint", role: "status" });
  readonly #problem = element("p", { class: "problem", role: "alert", hidden: true });
  readonly #photos: PhotoRow;
  /** Where the phone says that it is. */
  #found: Place | null = null;

  constructor(
    page: FieldPage,
    readonly report: Report,
    keep: () => void,
    send: () => void,
  ) {
    this.#photos = new PhotoRow(report.key, (problem) => {
      this.complain(problem);
      this.#consent.hidden = this.#photos.count === 0;
      keep();
      void this.#searchPlace().then(keep);
    });
    this.#addMilestones(page);
    this.#addConsent();
    this.element.append(
      labelled(say("title"), this.#title),
      labelled(say("text"), this.#text, say("textHint")),
      this.#photos.element,
      this.#consent,
      ...(page.milestones.length > 0 ? [labelled(say("milestone"), this.#milestone)] : []),
      ...this.#numberFields(page),
      element("div", { class: "row" }, element("label", { class: "choice" }, this.#place, say("place")), this.#placeNote),
      this.#problem,
      button(say("send"), send, "action"),
    );
    this.#show(report.draft as ReportDraft);
    this.complain(report.problem === "" ? "" : say("problem", { message: report.problem }));
    this.element.addEventListener("input", keep);
    this.#place.addEventListener("change", () => {
      this.#found = null; // it may be another one by now
      void this.#searchPlace().then(keep);
    });
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      send();
    });
  }

  async load(): Promise<void> {
    await this.#photos.load();
    this.#consent.hidden = this.#photos.count === 0;
    this.#sayPlace();
  }

  complain(problem: string): void {
    this.#problem.textContent = problem;
    this.#problem.hidden = problem === "";
  }

  focus(): void {
    this.#title.focus();
  }

  /** What is written now. */
  get draft(): ReportDraft {
    const values = Object.fromEntries([...this.#numbers].map(([name, field]) => [name, field.value]));
    const place = this.#shownPlace;
    return {
      title: this.#title.value,
      text: this.#text.value,
      milestone: this.#milestone.value || null,
      consent: this.#photos.count > 0 ? this.#answer : null,
      numbers: Object.entries(values)
        .map(([measure, value]) => ({ measure, value: read(value).value ?? "" }))
        .filter(({ value }) => value !== ""),
      latitude: place?.latitude ?? null,
      longitude: place?.longitude ?? null,
      photoPlace: this.#found === null ? this.#photos.place : null,
      showsPlace: this.#place.checked,
      values,
    };
  }

  /** What has to be written before it can be sent; empty if nothing. */
  get lack(): string {
    const { title, text, consent, values } = this.draft;
    if (title.trim() === "" || text.trim() === "") return say("missing");
    const fault = Object.values(values).map(faultOf).find((said) => said !== "");
    if (fault !== undefined) return fault;
    return this.#photos.count > 0 && consent === null ? say("missingConsent") : "";
  }

  get isEmpty(): boolean {
    const { title, text, milestone, showsPlace, values } = this.draft;
    const written = [title, text, milestone ?? "", ...Object.values(values)];
    return !showsPlace && !this.isBusy && this.#photos.count === 0 && written.every((one) => one === "");
  }

  /** Whether nobody writes in it, so that another report may take its place. */
  get isUntouched(): boolean {
    return this.isEmpty && !this.element.contains(document.activeElement);
  }

  get isBusy(): boolean {
    return this.#photos.isBusy;
  }

  /** The place that goes with the report, if it shall: the phone's, or else that of a photo. */
  get #shownPlace(): Place | null {
    return this.#place.checked ? (this.#found ?? this.#photos.place) : null;
  }

  get #answer(): Answer {
    const chosen = this.#consent.querySelector<HTMLInputElement>("input:checked");
    return (chosen?.value ?? null) as Answer;
  }

  #addMilestones(page: FieldPage): void {
    const options = page.milestones.map(({ id, title, dueOn }) =>
      element("option", { value: id }, say("milestoneDue", { title, day: sayDay(dueOn) })),
    );
    this.#milestone.append(element("option", { value: "" }, say("milestoneNone")), ...options);
  }

  #addConsent(): void {
    this.#consent.append(
      element("legend", {}, say("consent")),
      ...(["yes", "nobody", "no"] as const).map((value) =>
        choice("radio", { name: "consent", value }, say(`consent${value[0]?.toUpperCase()}${value.slice(1)}`)),
      ),
    );
  }

  #numberFields(page: FieldPage): readonly HTMLElement[] {
    if (page.measures.length === 0) return [];
    const rows = page.measures.map(({ id, name, unit }) => {
      const field = element("input", { id: `number-${id}`, inputmode: "decimal", autocomplete: "off" });
      this.#numbers.set(id, field);
      return labelled(say(unit === "" ? "numberPlain" : "number", { name, unit }), field);
    });
    return [element("fieldset", {}, element("legend", {}, say("numbers")), ...rows)];
  }

  #show(draft: ReportDraft): void {
    this.#title.value = draft.title;
    this.#text.value = draft.text;
    this.#milestone.value = draft.milestone ?? "";
    this.#place.checked = draft.showsPlace;
    for (const [name, value] of Object.entries(draft.values)) {
      const field = this.#numbers.get(name);
      if (field !== undefined) field.value = value;
    }
    for (const box of this.#consent.querySelectorAll("input")) box.checked = box.value === draft.consent;
    const { latitude, longitude, photoPlace } = draft;
    this.#found = latitude == null || longitude == null || photoPlace !== null ? null : { latitude, longitude };
  }

  async #searchPlace(): Promise<void> {
    if (this.#place.checked && this.#shownPlace === null) {
      this.#placeNote.textContent = say("placeSearching");
      this.#found = (await whereNow()) ?? this.#found;
    }
    this.#sayPlace();
  }

  #sayPlace(): void {
    const place = this.#shownPlace;
    const known = place === null ? say("placeMissing") : say("placeFound", { place: `${place.latitude}, ${place.longitude}` });
    this.#placeNote.textContent = this.#place.checked ? known : "";
  }
}

function read(text: string) {
  return readNumber(text, DECIMALS, numberForm(say("language")));
}

/** What is wrong with a number, in a sentence; empty for nothing. */
function faultOf(typed: string): string {
  const { value, fault } = read(typed);
  if (fault === "empty" || (value !== null && NUMBER.test(value))) return "";
  if (fault === "ambiguous") return say("ambiguousNumber", ambiguousReadings(typed, say("language")));
  return say("wrongNumber", { value: typed });
}

async function whereNow(): Promise<Place | null> {
  if (!("geolocation" in navigator)) return null;
  return await new Promise((resolve) => {
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve(rounded(coords.latitude, coords.longitude)),
      () => resolve(null),
      { timeout: SEARCH_MS, maximumAge: 600_000 },
    );
  });
}
