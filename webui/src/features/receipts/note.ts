import { fromBase64, join, sha256, toHex, utf8, type Bytes } from "./bytes";

const LOG_KIND = 1;
const WITNESS_KIND = 4;
const TIME_BYTES = 8;
const MS = 1000;
// The last second of the year 9999.
const LATEST = 253_402_300_799;
const ROOT_BYTES = 32;
const KEY_ID_BYTES = 4;
const SIZE = /^(?:0|[1-9][0-9]{0,15})$/;
const SIGNATURE = /^\u2014 (?<name>[^\s+]+) (?<bytes>[A-Za-z0-9+/=]+)$/;
const KEY = /^(?<name>[^\s+]+)\+(?<id>[0-9a-f]{8})\+(?<bytes>[A-Za-z0-9+/=]+)$/;

/** A signed state of the log (C2SP tlog-checkpoint). */
export type Checkpoint = {
  readonly origin: string;
  readonly size: number;
  readonly root: Bytes;
  /** The signed text. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
};

type NoteSignature = { readonly name: string; readonly keyId: string; readonly signature: Bytes };

/** The public key of a log, or of a witness (C2SP signed-note, tlog-cosignature). */
export type VerificationKey = {
  readonly name: string;
  readonly id: string;
  readonly publicKey: Bytes;
  readonly isWitness: boolean;
};

/** The text is not a checkpoint or verification key. */
export class MalformedNote extends Error {}

/** Parses a signed checkpoint without verifying the signatures. */
export function parseCheckpoint(note: string): Checkpoint {
  const cut = note.indexOf("\n\n");
  const [origin, size, root, ...rest] = note.slice(0, cut).split("\n");
  const signed = note.slice(cut + 2);
  const isWhole = cut > 0 && rest.length === 0 && signed.endsWith("\n");
  if (!isWhole || origin === undefined || size === undefined || root === undefined) {
    throw new MalformedNote("A checkpoint has three lines, an empty line, and signatures.");
  }
  const rootBytes = fromBase64(root);
  if (origin === "" || !SIZE.test(size) || rootBytes.length !== ROOT_BYTES) {
    throw new MalformedNote("The checkpoint names no log, size or root.");
  }
  return {
    origin,
    size: Number(size),
    root: rootBytes,
    text: `${note.slice(0, cut)}\n`,
    signatures: signed.slice(0, -1).split("\n").map(parseSignature),
  };
}

/** Parses `name+id+base64`; rejects a key with the wrong id. */
export async function parseVerificationKey(text: string): Promise<VerificationKey> {
  const { name, id, bytes } = KEY.exec(text)?.groups ?? {};
  if (name === undefined || id === undefined || bytes === undefined) {
    throw new MalformedNote("This is not a verification key.");
  }
  const key = fromBase64(bytes);
  const own = await sha256(join(utf8(`${name}\n`), key));
  if ((key[0] !== LOG_KIND && key[0] !== WITNESS_KIND) || toHex(own.slice(0, KEY_ID_BYTES)) !== id) {
    throw new MalformedNote("The verification key is not of the kind Ed25519, or has another id.");
  }
  return { name, id, publicKey: key.slice(1), isWitness: key[0] === WITNESS_KIND };
}

/** Whether the key signed the checkpoint; "unsupported" if the browser lacks Ed25519. */
export async function isSignedBy(
  checkpoint: Checkpoint,
  key: VerificationKey,
): Promise<boolean | "unsupported"> {
  const signature = signatureBy(checkpoint, key);
  if (signature === null || key.isWitness) return false;
  return isSignature(signature, checkpoint.text, key.publicKey);
}

/** When the witness cosigned the checkpoint; null if it did not. */
export async function cosignedAt(
  checkpoint: Checkpoint,
  witness: VerificationKey,
): Promise<Date | null | "unsupported"> {
  const data = signatureBy(checkpoint, witness);
  if (data === null || !witness.isWitness) return null;
  const seconds = data.length > TIME_BYTES ? Number(new DataView(data.buffer).getBigUint64(0)) : Infinity;
  if (seconds > LATEST) throw new MalformedNote("A cosignature has a time that a date can be.");
  const text = `cosignature/v1\ntime ${seconds}\n${checkpoint.text}`;
  const valid = await isSignature(data.slice(TIME_BYTES), text, witness.publicKey);
  if (valid === false) throw new MalformedNote("The cosignature is not by the witness's key.");
  return valid === true ? new Date(seconds * MS) : valid;
}

function signatureBy(checkpoint: Checkpoint, key: VerificationKey): Bytes | null {
  const found = checkpoint.signatures.find(
    ({ name, keyId }) => name === key.name && keyId === key.id,
  );
  return found?.signature ?? null;
}

/** Whether an Ed25519 key signed a text; "unsupported" if the browser lacks Ed25519. */
export async function isSignature(
  signature: Bytes,
  text: string,
  publicKey: Bytes,
): Promise<boolean | "unsupported"> {
  const imported = await importKey(publicKey);
  if (imported === null) return "unsupported";
  return crypto.subtle.verify("Ed25519", imported, signature, utf8(text));
}

async function importKey(publicKey: Bytes): Promise<CryptoKey | null> {
  try {
    return await crypto.subtle.importKey("raw", publicKey, "Ed25519", false, ["verify"]);
  } catch {
    return null;
  }
}

function parseSignature(line: string): NoteSignature {
  const { name, bytes } = SIGNATURE.exec(line)?.groups ?? {};
  if (name === undefined || bytes === undefined) {
    throw new MalformedNote("A line under the checkpoint is not a signature.");
  }
  const data = fromBase64(bytes);
  return {
    name,
    keyId: toHex(data.slice(0, KEY_ID_BYTES)),
    signature: data.slice(KEY_ID_BYTES),
  };
}
