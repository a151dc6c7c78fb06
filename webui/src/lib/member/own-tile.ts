import { tileFor } from "@/art/tiles";

/** Both names of a person, as they are shown and as their tile is derived from them. */
export function fullName(person: { readonly firstname: string; readonly lastname: string }): string {
  return [person.firstname, person.lastname]
    .map((name) => name.trim())
    .filter((name) => name !== "")
    .join(" ");
}

/** A person's own square of the cloth: the same two names give the same square everywhere. */
export function ownTile(person: { readonly firstname: string; readonly lastname: string }): string {
  return tileFor(fullName(person));
}
