// Spec §9: the popup of X and Facebook.
const POPUP = "width=550,height=420,noopener";

export type ShareTarget = "x" | "whatsapp" | "facebook";

/** Opens the share page of a network: X and Facebook in a popup, WhatsApp in a new tab. */
export function shareOn(target: ShareTarget, message: string, url: string): void {
  const address = shareAddress(target, message, url);
  if (target === "whatsapp") window.open(address, "_blank", "noopener");
  else window.open(address, "share", POPUP);
}

/** The share page of a network with the message filled in. */
export function shareAddress(target: ShareTarget, message: string, url: string): string {
  const text = encodeURIComponent(message);
  if (target === "x") return `https://x.com/intent/post?text=${text}`;
  if (target === "whatsapp") return `https://wa.me/?text=${text}`;
  return `https://www.facebook.com/sharer/sharer.php?u=${encodeURIComponent(url)}&quote=${text}`;
}
