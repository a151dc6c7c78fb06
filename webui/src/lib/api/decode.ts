/** Turns unknown JSON into a typed value, or throws a DecodeError. */
export type Decoder<T> = (value: unknown, where?: string) => T;

/** What a decoder returns. */
export type Infer<D> = D extends Decoder<infer T> ? T : never;

/** The server's answer does not have the expected form. */
export class DecodeError extends Error {
  constructor(where: string, wanted: string, value: unknown) {
    super(`${where === "" ? "the answer" : where}: expected ${wanted}, got ${typeof value}`);
    this.name = "DecodeError";
  }
}

export const text: Decoder<string> = (value, where = "") => {
  if (typeof value !== "string") throw new DecodeError(where, "text", value);
  return value;
};

export const number: Decoder<number> = (value, where = "") => {
  if (typeof value !== "number" || !Number.isFinite(value)) {
    throw new DecodeError(where, "a number", value);
  }
  return value;
};

export const flag: Decoder<boolean> = (value, where = "") => {
  if (typeof value !== "boolean") throw new DecodeError(where, "true or false", value);
  return value;
};

/** Null if the value is missing, null or an empty text. */
export function optional<T>(inner: Decoder<T>): Decoder<T | null> {
  return (value, where = "") =>
    value === undefined || value === null || value === "" ? null : inner(value, where);
}

/** A default if the value is missing or null. */
export function withDefault<T>(inner: Decoder<T>, fallback: T): Decoder<T> {
  return (value, where = "") =>
    value === undefined || value === null ? fallback : inner(value, where);
}

export function oneOf<const T extends string>(allowed: readonly T[]): Decoder<T> {
  return (value, where = "") => {
    const found = allowed.find((word) => word === value);
    if (found === undefined) throw new DecodeError(where, allowed.join(" or "), value);
    return found;
  };
}

export function list<T>(inner: Decoder<T>): Decoder<readonly T[]> {
  return (value, where = "") => {
    if (!Array.isArray(value)) throw new DecodeError(where, "a list", value);
    return value.map((item: unknown, index) => inner(item, `${where}[${index}]`));
  };
}

/** An object with a decoder for each field; fields without one are dropped. */
export function object<F extends Readonly<Record<string, Decoder<unknown>>>>(
  fields: F,
): Decoder<{ readonly [K in keyof F]: Infer<F[K]> }> {
  return (value, where = "") => {
    const record = asRecord(value, where);
    const entries = Object.entries(fields).map(([name, decode]) => [
      name,
      decode(record[name], where === "" ? name : `${where}.${name}`),
    ]);
    return Object.fromEntries(entries) as { readonly [K in keyof F]: Infer<F[K]> };
  };
}

/** A decoded value in another form. */
export function mapped<T, U>(inner: Decoder<T>, transform: (value: T) => U): Decoder<U> {
  return (value, where) => transform(inner(value, where));
}

/** An object with arbitrary keys. */
export function dictionary<T>(inner: Decoder<T>): Decoder<Readonly<Record<string, T>>> {
  return (value, where = "") =>
    Object.fromEntries(
      Object.entries(asRecord(value, where)).map(([key, item]) => [
        key,
        inner(item, `${where}.${key}`),
      ]),
    );
}

/** Ignores the answer. */
export const nothing: Decoder<null> = () => null;

function asRecord(value: unknown, where: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new DecodeError(where, "an object", value);
  }
  return value as Record<string, unknown>;
}
