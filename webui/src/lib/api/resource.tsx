import {
  createContext,
  startTransition,
  use,
  useCallback,
  useEffect,
  useMemo,
  useState,
  type ReactNode,
} from "react";
import { apiGet } from "./api-client";
import type { Decoder } from "./decode";
import { useIsHydrating } from "@/lib/page/use-hydrated";
import { onChangeElsewhere } from "@/lib/session/token-storage";

/** Something to read from the API: its path and decoder. */
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
  /** The state at prerendering, which hydration starts from. */
  readonly first: ResourceState<unknown>;
  /** In `performance.now()` milliseconds; 0 means stale. */
  freshUntil: number;
  request: AbortController | null;
  watchers: Set<() => void>;
};

const FRESH_MS = 60_000;
const LOADING: ResourceState<never> = { status: "loading", data: null, error: null };

/** Cache of API answers, so that a page visited again shows at once. */
export class ResourceCache {
  readonly #entries = new Map<string, Entry>();
  readonly #seeds: Answers;
  readonly #liveUntil = performance.now() + FRESH_MS;
  #live: Answers;

  /**
   * @param seeds answers by path from prerendering; shown at once, then refetched.
   * @param live answers by path that the server sent with the page; they count as fresh.
   */
  constructor(seeds: Answers = {}, live: Answers = {}) {
    this.#seeds = seeds;
    this.#live = live;
  }

  state<T>(resource: Resource<T>): ResourceState<T> {
    return this.#entry(resource).state as ResourceState<T>;
  }

  /** The state at prerendering. */
  firstState<T>(resource: Resource<T>): ResourceState<T> {
    return this.#entry(resource).first as ResourceState<T>;
  }

  /** The paths that a page used; the build embeds only these answers. */
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

  /** Fetches the resource unless it is fresh or already being fetched. */
  load<T>(resource: Resource<T>): void {
    const entry = this.#entry(resource);
    const isFresh = performance.now() < entry.freshUntil;
    if (!isFresh && entry.request === null) void this.#read(resource, entry);
  }

  /** Refetches the resource; the old data stays until the answer arrives. */
  reload<T>(resource: Resource<T>): void {
    const entry = this.#entry(resource);
    entry.request?.abort();
    entry.request = null;
    if (entry.state.status === "error") this.#set(entry, LOADING);
    void this.#read(resource, entry);
  }

  /** Fetches again what failed and is shown, for example when the network is back. */
  retryFailed(): void {
    for (const entry of this.#entries.values()) {
      // What waits for an answer is fetched by the components that show it.
      if (entry.state.status === "error") this.#set(entry, { ...LOADING });
    }
  }

  /** Clears the cache, for example on signing in or out. */
  clear(): void {
    this.#live = {};
    for (const entry of this.#entries.values()) {
      entry.request?.abort();
      entry.request = null;
      entry.freshUntil = 0;
      // A new object, so that components that wait for the old answer fetch again.
      this.#set(entry, { ...LOADING });
    }
  }

  /** Marks paths with this prefix as stale; pages that show them refetch. */
  invalidate(prefix: string): void {
    // Unused answers that came with the page are stale too.
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
      // Keeps old data rather than showing an error.
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
  if (!(path in answers)) return LOADING;
  try {
    return { status: "ready", data: decode(answers[path]), error: null };
  } catch {
    return LOADING; // In another version's format.
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
  // One member's data must not be shown to the next.
  useEffect(() => onChangeElsewhere(() => cache.clear()), [cache]);
  useEffect(() => {
    const again = () => cache.retryFailed();
    window.addEventListener("online", again);
    return () => window.removeEventListener("online", again);
  }, [cache]);
  return <CacheContext value={cache}>{children}</CacheContext>;
}

export function useResourceCache(): ResourceCache {
  const cache = use(CacheContext);
  if (cache === null) throw new Error("useResource needs a ResourceProvider above it");
  return cache;
}

/**
 * Reads a resource and re-renders when it changes.
 *
 * An answer is shown in a transition, so that React can handle a tap in between: a cheap phone takes
 * long to draw what came with a page.
 *
 * @param when false defers the request, for example until the element is in view.
 */
export function useResource<T>(resource: Resource<T>, when = true): LoadedResource<T> {
  const cache = useResourceCache();
  const isHydrating = useIsHydrating();
  const read = () => (isHydrating ? cache.firstState(resource) : cache.state(resource));
  const [shown, setShown] = useState(() => ({ cache, resource, state: read() }));
  const isShown = shown.cache === cache && shown.resource === resource;
  const state = isShown ? shown.state : cache.state(resource);
  useEffect(() => {
    const show = () => {
      const next = cache.state(resource);
      const update = () => {
        setShown((old) => (old.resource === resource && old.state === next ? old : { cache, resource, state: next }));
      };
      // What must not be seen any more goes at once.
      if (next.status === "ready") startTransition(update);
      else update();
    };
    show();
    return cache.watch(resource, show);
  }, [cache, resource]);
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
