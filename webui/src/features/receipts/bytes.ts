const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const HEX = /^(?:[0-9a-f]{2})*$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The byte type that WebCrypto accepts. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** The text is not valid hex or base64. */
export class MalformedBytes extends Error {}

/** Decodes lower-case hex; rejects anything else. */
export function fromHex(text: string): Bytes {
  if (!HEX.test(text)) throw new MalformedBytes(`“${text.slice(0, 20)}” is not hex.`);
  return Uint8Array.from({ length: text.length / 2 }, (_, index) =>
    Number.parseInt(text.slice(index * 2, index * 2 + 2), 16),
  );
}

export function toHex(bytes: Bytes): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Decodes base64; rejects non-canonical encodings. */
export function fromBase64(text: string): Bytes {
  const bytes = BASE64.test(text)
    ? Uint8Array.from(atob(text), (letter) => letter.codePointAt(0) ?? 0)
    : new Uint8Array();
  if (bytes.length === 0 || btoa(String.fromCodePoint(...bytes)) !== text) {
    throw new MalformedBytes(`“${text.slice(0, 20)}” is not base64.`);
  }
  return bytes;
}

/** Base32 (RFC 4648 §6); bits left over at the end are dropped. */
export function toBase32(bytes: Bytes, letters: number): string {
  return Array.from({ length: letters }, (_, place) => {
    const bit = place * 5;
    const [high = 0, low = 0] = bytes.slice(bit >> 3, (bit >> 3) + 2);
    return BASE32[(((high << 8) | low) >> (11 - (bit & 7))) & 31];
  }).join("");
}

export function utf8(text: string): Bytes {
  return new TextEncoder().encode(text);
}

export function join(...parts: readonly Bytes[]): Bytes {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

export function isSame(left: Bytes, right: Bytes): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index]);
}

export async function sha256(bytes: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}
