// The browser's passkey: making one, and letting it sign a statement.

import type { Invitation, ToSign } from "./calls";
import { challengeOf, decode64, encode64, keyDigest, unhex, utf8, wordsOf } from "./bytes";

const KNOWN = "jara-desk-passkey";
const PATIENCE_MS = 300_000;

export interface Signature {
  readonly statement: string;
  readonly authenticatorData: string;
  readonly clientData: string;
  readonly signature: string;
}

export interface NewKey {
  readonly id: string;
  readonly clientData: string;
  readonly attestation: string;
  /** The six words, which this page makes of the key itself; empty where the browser hides the key. */
  readonly words: string;
}

export function canSign(): boolean {
  return "credentials" in navigator && "PublicKeyCredential" in globalThis;
}

/** Asks the passkey to sign a statement. The challenge is made here, from the text that is shown. */
export async function sign(asked: ToSign): Promise<Signature> {
  const id = remembered();
  const made = (await navigator.credentials.get({
    publicKey: {
      challenge: await challengeOf(asked.statement),
      rpId: asked.host,
      userVerification: "required",
      timeout: PATIENCE_MS,
      ...(id === "" ? {} : { allowCredentials: [{ type: "public-key", id: decode64(id) }] }),
    },
  })) as PublicKeyCredential;
  const answer = made.response as AuthenticatorAssertionResponse;
  remember(made.id);
  return {
    statement: asked.statement,
    authenticatorData: encode64(answer.authenticatorData),
    clientData: encode64(answer.clientDataJSON),
    signature: encode64(answer.signature),
  };
}

/** Makes the passkey of an invitation. */
export async function make(page: Invitation): Promise<NewKey> {
  const made = (await navigator.credentials.create({
    publicKey: {
      rp: { id: page.host, name: page.organisation },
      user: { id: utf8(page.user), name: page.name, displayName: `${page.name} · ${page.organisation}` },
      challenge: unhex(page.challenge),
      pubKeyCredParams: [{ type: "public-key", alg: -7 }],
      authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
      timeout: PATIENCE_MS,
    },
  })) as PublicKeyCredential;
  const answer = made.response as AuthenticatorAttestationResponse;
  remember(made.id);
  const key = answer.getPublicKey?.() ?? null;
  return {
    id: made.id,
    clientData: encode64(answer.clientDataJSON),
    attestation: encode64(answer.attestationObject),
    words: key === null ? "" : wordsOf(await keyDigest(key, page.host)),
  };
}

/** A browser without storage asks which passkey is meant; nothing else differs. */
function remember(id: string): void {
  try {
    globalThis.localStorage.setItem(KNOWN, id);
  } catch {
    // as above
  }
}

function remembered(): string {
  try {
    return globalThis.localStorage.getItem(KNOWN) ?? "";
  } catch {
    return "";
  }
}

export function forget(): void {
  try {
    globalThis.localStorage.removeItem(KNOWN);
  } catch {
    // as above
  }
}
