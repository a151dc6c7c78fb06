import { useState } from "react";
import type { ApiError } from "@/lib/api/api-client";
import type { BillingDay } from "@/lib/payments/billing-day";
import { OTHER_WAYS, type PayingWay } from "@/lib/models/other-ways";
import { BILLING_DAYS } from "@/lib/payments/billing-day";
import { dropDraft, readDraft, writeDraft } from "@/lib/session/draft-storage";
import joiningTexts from "@/messages/en/joining.json";
import { useHydrated } from "@/lib/page/use-hydrated";
import { textIn } from "@/lib/page/use-prehydration-input";
import { translator } from "@/lib/text/messages";
import { pledgeDollarsDefault } from "@/rules.json";

const t = translator(joiningTexts);
const NAME = "jara-join";

/** The draft of the registration, without password and card. */
export type JoinDraft = {
  readonly firstname: string;
  readonly lastname: string;
  readonly email: string;
  readonly country: string;
  readonly notifications: boolean;
  readonly privacyPolicy: boolean;
  /** Dollars, as text (spec §3). */
  readonly contribution: string;
  /** What was chosen before the contribution was raised to cover the card fee; else empty. */
  readonly coversFeeOf: string;
  readonly billingDay: BillingDay;
  /** By card, unless the operators offer another way and it was chosen. */
  readonly way: PayingWay;
};

const EMPTY: JoinDraft = {
  firstname: "",
  lastname: "",
  email: "",
  country: "",
  notifications: false,
  privacyPolicy: false,
  contribution: String(pledgeDollarsDefault),
  coversFeeOf: "",
  billingDay: "current",
  way: "card",
};

export type JoinDraftState = {
  readonly draft: JoinDraft;
  /** In memory only; lost on reload. */
  readonly password: string;
  /** True after a reload once step 1 was filled in, so with a password. */
  readonly restored: boolean;
  /** The server's errors for the fields of step 1, until they change. */
  readonly faults: Faults;
  readonly change: (part: Partial<JoinDraft>) => void;
  readonly setPassword: (password: string) => void;
  readonly setFaults: (faults: Faults) => void;
  /** The values of the prerendered form of step 1 at hydration. */
  readonly takeOver: (form: HTMLFormElement) => void;
};

export type Faults = Readonly<Record<string, string>>;

/** Stores the draft in this tab, so that it survives Back, reload and network loss. */
export function useJoinDraft(): JoinDraftState {
  const [kept, setKept] = useState(storedDraft);
  const [password, keepPassword] = useState("");
  const [wasKept] = useState(() => kept.privacyPolicy);
  const [faults, setFaults] = useState<Faults>({});
  // The prerendered form is empty.
  const hydrated = useHydrated();
  const draft = hydrated ? kept : EMPTY;
  const restored = hydrated && wasKept;
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
    keepPassword(textIn(form, "password"));
    change(typedInto(form));
  };
  return { draft, password, restored, faults, change, setPassword, setFaults, takeOver };
}

/** The fields that are filled in; only these replace the stored draft. */
function typedInto(form: HTMLFormElement): Partial<JoinDraft> {
  const typed = [...new FormData(form)].filter(([name, value]) => name in EMPTY && value !== "");
  return Object.fromEntries(
    typed.map(([name, value]) => [name, EMPTY[name as keyof JoinDraft] === false ? true : value]),
  );
}

/** The errors of single fields. */
export function faultsOf(error: ApiError): Faults {
  // That the email has an account stands elsewhere: the field says what to do about it.
  return error.code === "email_taken" ? { email: t("email.taken") } : error.fields;
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
    coversFeeOf: text("coversFeeOf", EMPTY.coversFeeOf),
    billingDay: BILLING_DAYS.find((day) => day === stored["billingDay"]) ?? EMPTY.billingDay,
    way: OTHER_WAYS.find((way) => way === stored["way"]) ?? EMPTY.way,
  };
}

/** The first missing field of step 1 (spec §5), or null. */
export function missingField(draft: JoinDraft, password: string) {
  if (draft.firstname.trim() === "") return "firstname";
  if (draft.lastname.trim() === "") return "lastname";
  if (draft.email.trim() === "") return "email";
  if (password.trim() === "") return "password";
  if (draft.country === "") return "country";
  return draft.privacyPolicy ? null : "privacyPolicy";
}
