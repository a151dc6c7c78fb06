import { object, optional, text, withDefault, type Infer } from "@/lib/api/decode";

/** The answer to a change: a sentence for the member, and a new token when the old one has ended. */
export const changed = object({ message: withDefault(text, ""), token: optional(text) });

export type Changed = Infer<typeof changed>;
