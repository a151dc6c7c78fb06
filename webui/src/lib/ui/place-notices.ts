/** Moves the notices into the open dialog: what is outside is inert, covered and not announced. */
export function placeNotices(notices = document.getElementById("notices")): void {
  const dialog = [...document.querySelectorAll("dialog[open]")].at(-1);
  if (notices !== null) (dialog ?? document.body).append(notices);
}
