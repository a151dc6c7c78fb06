import {
  createContext,
  use,
  useCallback,
  useEffect,
  useMemo,
  useSyncExternalStore,
  type ReactNode,
} from "react";
import { apiGet } from "./api-client";
import type { Decoder } from "./decode";
import { onChangeElsewhere } from "@/lib/session/token-storage";

/** Something that can be read from the server: where it is and how it is understood. */
export type Resource<T> = { readonly path: string; readonly decode: Decoder<T> };

const resources = new Map<string, Resource<unknown>>();

/** The resource at a path that depends on a parameter: the same object every time. */
export function resourceAt<T>(path: string, decode: Decoder<T>): Resource<T> {
  const known = resources.get(path) ?? { path, decode };
  resources.set(path, known);
  return known as Resource<T>;
}

export type ResourceState<T> =
  | { readonly status: "loading"; readonly data: null; readonly error: null }
  | { readonly status: "ready"; readonly data: T; readonly error: null }
  | { readonly status: "error"; readonly data: null; readonly error: Error };

export type LoadedResource<T> = ResourceState<T> & { readonly reload: () => void };

type Answers = Readonly<Record<string, unknown>>;

type Entry = {
  state: ResourceState<unknown>;
  /** What the page came with; a page that is taken over from the server begins with it. */
  readonly first: ResourceState<unknown>;
  /** In milliseconds since the page was opened; 0 for what has to be read. */
  freshUntil: number;
  request: AbortController | null;
  watchers: Set<() => void>;
};

const FRESH_MS = 60_000;
const LOADING: ResourceState<never> = { status: "loading", data: null, error: null };

/** Keeps what was read from the server, so that a page that is visited again shows at once. */
export class ResourceCache {
  readonly #entries = new Map<string, Entry>();
  readonly #seeds: Answers;
  readonly #liveUntil = performance.now() + FRESH_MS;
  #live: Answers;

  /**
   * @param seeds answers by path that the page was drawn with; shown at once, then read again.
   * @param live answers by path that came with the page, as good as if they were read now.
   */
  constructor(seeds: Answers = {}, live: Answers = {}) {
    this.#seeds = seeds;
    this.#live = live;
  }

  state<T>(resource: Resource<T>): ResourceState<T> {
    return this.#entry(resource).state as ResourceState<T>;
  }

  /** The state before anything was read in this browser. */
  firstState<T>(resource: Resource<T>): ResourceState<T> {
    return this.#entry(resource).first as ResourceState<T>;
  }

  /** The paths that were looked at, for the build, which gives a page only the answers it shows. */
  paths(): string[] {
    return [...this.#entries.keys()];
  }

  watch<T>(resource: Resource<T>, listener: () => void): () => void {
    const entry = this.#entry(resource);
    entry.watchers.add(listener);
    return () => {
      entry.watchers.delete(listener);
      if (entry.watchers.size === 0 && entry.request !== null) {
        entry.request.abort();
        entry.request = null;
      }
    };
  }

  /** Reads the resource unless what is kept is fresh, however it came, or a request is under way. */
  load<T>(resource: Resource<T>): void {
    const entry = this.#entry(resource);
    const isFresh = performance.now() < entry.freshUntil;
    if (!isFresh && entry.request === null) void this.#read(resource, entry);
  }

  /** Reads the resource again; what is shown stays until the answer is there. */
  reload<T>(resource: Resource<T>): void {
    const entry = this.#entry(resource);
    entry.request?.abort();
    entry.request = null;
    if (entry.state.status === "error") this.#set(entry, LOADING);
    void this.#read(resource, entry);
  }

  /** Forgets everything, for example when somebody signs in or out. */
  clear(): void {
    this.#live = {};
    for (const entry of this.#entries.values()) {
      entry.request?.abort();
      entry.request = null;
      entry.freshUntil = 0;
      // Another object each time: whoever still waits for the old answer asks anew.
      this.#set(entry, { ...LOADING });
    }
  }

  /** Marks paths that begin so as out of date; pages that show them read them again. */
  invalidate(prefix: string): void {
    // What came with the page and nobody has looked at is read when somebody does.
    this.#live = {};
    for (const [path, entry] of this.#entries) {
      if (path.startsWith(prefix)) entry.freshUntil = 0;
    }
  }

  async #read<T>(resource: Resource<T>, entry: Entry): Promise<void> {
    const request = new AbortController();
    entry.request = request;
    try {
      const data = await apiGet(resource.path, resource.decode, { signal: request.signal });
      if (request.signal.aborted) return;
      entry.freshUntil = performance.now() + FRESH_MS;
      entry.request = null;
      this.#set(entry, { status: "ready", data, error: null });
    } catch (error) {
      if (request.signal.aborted) return;
      entry.request = null;
      // What is on the page stays there: an old figure with its source beats an empty box.
      if (entry.state.status === "ready") return;
      this.#set(entry, { status: "error", data: null, error: asError(error) });
    }
  }

  #entry<T>(resource: Resource<T>): Entry {
    const known = this.#entries.get(resource.path);
    if (known !== undefined) return known;
    const first = seed(this.#seeds, resource);
    const live = seed(this.#live, resource);
    const isLive = live !== LOADING;
    const entry: Entry = {
      state: isLive ? live : first,
      first,
      freshUntil: isLive ? this.#liveUntil : 0,
      request: null,
      watchers: new Set(),
    };
    this.#entries.set(resource.path, entry);
    return entry;
  }

  #set(entry: Entry, state: ResourceState<unknown>): void {
    entry.state = state;
    for (const watcher of entry.watchers) watcher();
  }
}

function seed<T>(answers: Answers, { path, decode }: Resource<T>): ResourceState<T> {
  try {
    return { status: "ready", data: decode(answers[path]), error: null };
  } catch {
    // There is none, or none that this version understands.
    return LOADING;
  }
}

const CacheContext = createContext<ResourceCache | null>(null);

export function ResourceProvider({
  cache,
  children,
}: {
  readonly cache: ResourceCache;
  readonly children: ReactNode;
}) {
  // What one member was shown is not for the next.
  useEffect(() => onChangeElsewhere(() => cache.clear()), [cache]);
  return <CacheContext value={cache}>{children}</CacheContext>;
}

export function useResourceCache(): ResourceCache {
  const cache = use(CacheContext);
  if (cache === null) throw new Error("useResource needs a ResourceProvider above it");
  return cache;
}

/**
 * Reads a resource and keeps the page up to date with it.
 *
 * @param when false puts the request off, for example until the place is in view.
 */
export function useResource<T>(resource: Resource<T>, when = true): LoadedResource<T> {
  const cache = useResourceCache();
  const watch = useCallback(
    (listener: () => void) => cache.watch(resource, listener),
    [cache, resource],
  );
  const read = useCallback(() => cache.state(resource), [cache, resource]);
  const readFirst = useCallback(() => cache.firstState(resource), [cache, resource]);
  const state = useSyncExternalStore(watch, read, readFirst);
  const waiting = state.status === "loading" ? state : null;
  useEffect(() => {
    if (when) cache.load(resource);
  }, [cache, resource, when, waiting]);
  const reload = useCallback(() => cache.reload(resource), [cache, resource]);
  return useMemo(() => ({ ...state, reload }), [state, reload]);
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
