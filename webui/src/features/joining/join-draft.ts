import { useState } from "react";
import type { ApiError } from "@/lib/api/api-client";
import type { BillingDay } from "@/lib/payments/billing-day";
import { BILLING_DAYS } from "@/lib/payments/billing-day";
import { dropDraft, readDraft, writeDraft } from "@/lib/session/draft-storage";
import { useInBrowser } from "@/lib/page/use-in-browser";

const NAME = "jara-join";

/** What is typed while joining. The password and the card are never part of it. */
export type JoinDraft = {
  readonly firstname: string;
  readonly lastname: string;
  readonly email: string;
  readonly country: string;
  readonly notifications: boolean;
  readonly privacyPolicy: boolean;
  /** Dollars, as text (spec §3). */
  readonly contribution: string;
  readonly billingDay: BillingDay;
};

const EMPTY: JoinDraft = {
  firstname: "",
  lastname: "",
  email: "",
  country: "",
  notifications: false,
  privacyPolicy: false,
  contribution: "10",
  billingDay: "current",
};

export type JoinDraftState = {
  readonly draft: JoinDraft;
  /** Lives in memory only, and is gone when the page is loaded again. */
  readonly password: string;
  /** True when the page was loaded again in the middle of joining. */
  readonly restored: boolean;
  /** What the server said of the fields of step 1, until they are changed. */
  readonly faults: Faults;
  readonly change: (part: Partial<JoinDraft>) => void;
  readonly setPassword: (password: string) => void;
  readonly setFaults: (faults: Faults) => void;
  /** What step 1 holds already when it is taken over as the build has drawn it. */
  readonly takeOver: (form: HTMLFormElement) => void;
};

export type Faults = Readonly<Record<string, string>>;

/** Keeps what is typed in this tab: going back, reloading and a lost network lose nothing. */
export function useJoinDraft(): JoinDraftState {
  const [kept, setKept] = useState(storedDraft);
  const [password, keepPassword] = useState("");
  const [wasKept] = useState(() => kept.email !== "");
  const [faults, setFaults] = useState<Faults>({});
  // The build has drawn the form empty.
  const inBrowser = useInBrowser();
  const draft = inBrowser ? kept : EMPTY;
  const restored = inBrowser && wasKept;
  const change = (part: Partial<JoinDraft>) => {
    const changed = { ...kept, ...part };
    setKept(changed);
    writeDraft(NAME, changed);
    if (Object.keys(part).some((name) => name in faults)) setFaults({});
  };
  const setPassword = (typed: string) => {
    keepPassword(typed);
    setFaults({});
  };
  const takeOver = (form: HTMLFormElement) => {
    keepPassword(String(new FormData(form).get("password")));
    change(typedInto(form));
  };
  return { draft, password, restored, faults, change, setPassword, setFaults, takeOver };
}

/** What is in a form that was empty: only that may go over what was kept. */
function typedInto(form: HTMLFormElement): Partial<JoinDraft> {
  const typed = [...new FormData(form)].filter(([name, value]) => name in EMPTY && value !== "");
  return Object.fromEntries(
    typed.map(([name, value]) => [name, EMPTY[name as keyof JoinDraft] === false ? true : value]),
  );
}

/** What a refusal says of single fields. */
export function faultsOf(error: ApiError): Faults {
  // "That email has an account" names no field, but everybody knows which one it is.
  return error.code === "email_taken" ? { email: error.message } : error.fields;
}

export function forgetJoinDraft(): void {
  dropDraft(NAME);
}

function storedDraft(): JoinDraft {
  const stored = readDraft(NAME);
  const text = (key: keyof JoinDraft & string, fallback: string) =>
    typeof stored[key] === "string" ? stored[key] : fallback;
  return {
    firstname: text("firstname", EMPTY.firstname),
    lastname: text("lastname", EMPTY.lastname),
    email: text("email", EMPTY.email),
    country: text("country", EMPTY.country),
    notifications: stored["notifications"] === true,
    privacyPolicy: stored["privacyPolicy"] === true,
    contribution: text("contribution", EMPTY.contribution),
    billingDay: BILLING_DAYS.find((day) => day === stored["billingDay"]) ?? EMPTY.billingDay,
  };
}

/** The first thing that is still missing in step 1 (spec §5), or null. */
export function missingField(draft: JoinDraft, password: string) {
  if (draft.firstname.trim() === "") return "firstname";
  if (draft.lastname.trim() === "") return "lastname";
  if (draft.email.trim() === "") return "email";
  if (password.trim() === "") return "password";
  if (draft.country === "") return "country";
  return draft.privacyPolicy ? null : "privacyPolicy";
}
