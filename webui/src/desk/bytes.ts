// Bytes as SSH and WebAuthn write them, and the six words that stand for a digest.

import list from "./words.json";

const WORDS = list.split(" ");
const COUNT = 6;
const BITS = 11;
const POINT_BYTES = 65;

type Bytes = Uint8Array<ArrayBuffer>;

export function utf8(text: string): Bytes {
  return new TextEncoder().encode(text);
}

export function encode64(bytes: ArrayBuffer): string {
  const text = String.fromCharCode(...new Uint8Array(bytes));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export function decode64(text: string): Bytes {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (char) => char.codePointAt(0) ?? 0);
}

export function unhex(text: string): Bytes {
  return Uint8Array.from(text.match(/../gu) ?? [], (pair) => Number.parseInt(pair, 16));
}

export function hex(bytes: Bytes): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export async function digest(bytes: Bytes, kind: "SHA-256" | "SHA-512" = "SHA-256"): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest(kind, bytes));
}

/** The first 66 bits of a digest as words of BIP-39. */
export function wordsOf(bytes: Bytes): string {
  const number = BigInt(`0x${hex(bytes.slice(0, 9))}`) >> 6n;
  const places = Array.from({ length: COUNT }, (_, place) => Number((number >> BigInt(BITS * (COUNT - 1 - place))) & 2047n));
  return places.map((place) => WORDS[place]).join(" ");
}

/** What an SSH key signs for a statement (PROTOCOL.sshsig), and so the passkey's challenge. */
export async function challengeOf(statement: string): Promise<Bytes> {
  const hash = await digest(utf8(statement), "SHA-512");
  return joined(utf8("SSHSIG"), packed(utf8("jara-act")), packed(utf8("")), packed(utf8("sha512")), packed(hash));
}

/** The digest of a passkey as an SSH key, which its fingerprint shows. */
export async function keyDigest(spki: ArrayBuffer, host: string): Promise<Bytes> {
  const point = new Uint8Array(spki).slice(-POINT_BYTES);
  const kind = utf8("sk-ecdsa-sha2-nistp256@openssh.com");
  return await digest(joined(...[kind, utf8("nistp256"), point, utf8(host)].map(packed)));
}

function packed(bytes: Bytes): Bytes {
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, bytes.length);
  return joined(length, bytes);
}

function joined(...parts: readonly Bytes[]): Bytes {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
