import { fromBase64, join, sha256, toHex, utf8, type Bytes } from "./bytes";

const ED25519 = 1;
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

/** The public key of a log (C2SP signed-note). */
export type VerificationKey = {
  readonly name: string;
  readonly id: string;
  readonly publicKey: Bytes;
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
    throw new MalformedNote("This is no verification key.");
  }
  const key = fromBase64(bytes);
  const own = await sha256(join(utf8(`${name}\n`), key));
  if (key[0] !== ED25519 || toHex(own.slice(0, KEY_ID_BYTES)) !== id) {
    throw new MalformedNote("The verification key is not of the kind Ed25519, or has another id.");
  }
  return { name, id, publicKey: key.slice(1) };
}

/** Whether the key signed the checkpoint; "unsupported" if the browser lacks Ed25519. */
export async function isSignedBy(
  checkpoint: Checkpoint,
  key: VerificationKey,
): Promise<boolean | "unsupported"> {
  const ours = checkpoint.signatures.find(
    ({ name, keyId }) => name === key.name && keyId === key.id,
  );
  if (ours === undefined) return false;
  const imported = await importKey(key.publicKey);
  if (imported === null) return "unsupported";
  return crypto.subtle.verify("Ed25519", imported, ours.signature, utf8(checkpoint.text));
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
    throw new MalformedNote("A line under the checkpoint is no signature.");
  }
  const data = fromBase64(bytes);
  return {
    name,
    keyId: toHex(data.slice(0, KEY_ID_BYTES)),
    signature: data.slice(KEY_ID_BYTES),
  };
}
