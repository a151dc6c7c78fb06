const KEY = /^[a-z][a-z0-9_]*$/;
const LONE_SURROGATE = /\p{Surrogate}/u;
const DEPTH_MAX = 20;

/**
 * The canonical JSON of a value, or null if it has none: sorted snake_case keys, no
 * white space, text in NFC, whole numbers below 2^53, booleans, arrays and objects.
 */
export function canonicalJson(value: unknown): string | null {
  return write(value, 0);
}

/** Parses canonical JSON; null if the text is not canonical. */
export function readCanonical(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject && canonicalJson(value) === text ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function write(value: unknown, depth: number): string | null {
  if (typeof value === "boolean") return String(value);
  if (typeof value === "number") return isPlainInteger(value) ? String(value) : null;
  if (typeof value === "string") return isPlainText(value) ? JSON.stringify(value) : null;
  if (typeof value !== "object" || value === null || depth >= DEPTH_MAX) return null;
  if (Array.isArray(value)) return wrap("[", value.map((item) => write(item, depth + 1)), "]");
  const entries = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1));
  const members = entries.map(([key, item]) => {
    const text = write(item, depth + 1);
    return KEY.test(key) && text !== null ? `"${key}":${text}` : null;
  });
  return wrap("{", members, "}");
}

function wrap(open: string, parts: readonly (string | null)[], close: string): string | null {
  return parts.includes(null) ? null : `${open}${parts.join(",")}${close}`;
}

function isPlainInteger(value: number): boolean {
  return Number.isSafeInteger(value) && !Object.is(value, -0);
}

function isPlainText(text: string): boolean {
  return !text.includes("\0") && !LONE_SURROGATE.test(text) && text.normalize("NFC") === text;
}
