import type { Done, KnownDevice } from "@/api/schema";
import { apiSend } from "@/lib/api/api-client";

// Passkeys through the browser's own API: a chunk of its own, loaded when somebody uses one.

const FIVE_MINUTES = 300_000;
const ES256 = -7;
const RS256 = -257;

/** Makes a passkey on this device, and stores it under a name. */
export async function addPasskey(name: string, currentPassword?: string): Promise<Done> {
  const options = await apiSend("POST /user/passkeys/options", { currentPassword });
  const made = await navigator.credentials.create({
    publicKey: {
      rp: options.rp,
      user: { ...options.user, displayName: options.user.name, id: decoded(options.user.id) },
      challenge: decoded(options.challenge),
      pubKeyCredParams: [ES256, RS256].map((alg) => ({ type: "public-key", alg })),
      excludeCredentials: (options.excludeCredentials ?? []).map(({ id }) => ({
        type: "public-key",
        id: decoded(id),
      })),
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
      timeout: FIVE_MINUTES,
    },
  });
  const { id, response } = made as PublicKeyCredential;
  const { clientDataJSON, attestationObject } = response as AuthenticatorAttestationResponse;
  const answer = {
    name,
    id,
    clientData: encoded(clientDataJSON),
    attestation: encoded(attestationObject),
  };
  return apiSend("POST /user/passkeys", answer);
}

/** Signs in with a passkey that the browser offers. */
export async function signInWithPasskey(): Promise<KnownDevice> {
  const options = await apiSend("POST /user/login/passkey/options", undefined);
  const chosen = await navigator.credentials.get({
    publicKey: {
      challenge: decoded(options.challenge),
      rpId: options.rpId,
      userVerification: "required",
      timeout: FIVE_MINUTES,
    },
  });
  const { id, response } = chosen as PublicKeyCredential;
  const { clientDataJSON, authenticatorData, signature } =
    response as AuthenticatorAssertionResponse;
  const answer = {
    id,
    clientData: encoded(clientDataJSON),
    authenticatorData: encoded(authenticatorData),
    signature: encoded(signature),
  };
  return apiSend("POST /user/login/passkey", answer);
}

function decoded(base64url: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.codePointAt(0) ?? 0);
}

function encoded(data: ArrayBuffer): string {
  const binary = Array.from(new Uint8Array(data), (byte) => String.fromCodePoint(byte)).join("");
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
