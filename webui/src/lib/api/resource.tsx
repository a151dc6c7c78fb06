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
import type { Answer, Path } from "./calls";
import { useIsHydrating } from "@/lib/page/use-hydrated";
import { asError } from "@/lib/ui/use-failure";
import { onChangeElsewhere } from "@/lib/session/token-storage";
import { learnHomeCurrency } from "@/lib/text/currency";

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

  state<P extends Path>(path: P): ResourceState<Answer<P>> {
    return this.#entry(path).state as ResourceState<Answer<P>>;
  }

  /** The state at prerendering. */
  firstState<P extends Path>(path: P): ResourceState<Answer<P>> {
    return this.#entry(path).first as ResourceState<Answer<P>>;
  }

  /** The paths that a page used; the build embeds only these answers. */
  paths(): string[] {
    return [...this.#entries.keys()];
  }

  watch(path: Path, listener: () => void): () => void {
    const entry = this.#entry(path);
    entry.watchers.add(listener);
    return () => {
      entry.watchers.delete(listener);
      if (entry.watchers.size === 0 && entry.request !== null) {
        entry.request.abort();
        entry.request = null;
      }
    };
  }

  /** Fetches the answer unless it is fresh or already being fetched. */
  load(path: Path): void {
    const entry = this.#entry(path);
    const isFresh = performance.now() < entry.freshUntil;
    if (!isFresh && entry.request === null) void this.#read(path, entry);
  }

  /**
   * Refetches the answer; the old data stays until the new one arrives.
   *
   * @returns whether a new one has arrived.
   */
  async reload(path: Path): Promise<boolean> {
    const entry = this.#entry(path);
    entry.request?.abort();
    entry.request = null;
    if (entry.state.status === "error") this.#set(entry, LOADING);
    return await this.#read(path, entry);
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

  async #read(path: Path, entry: Entry): Promise<boolean> {
    const request = new AbortController();
    entry.request = request;
    try {
      const data = await apiGet(path, { signal: request.signal });
      if (request.signal.aborted) return false;
      learnHomeCurrency(data);
      entry.freshUntil = performance.now() + FRESH_MS;
      entry.request = null;
      this.#set(entry, { status: "ready", data, error: null });
      return true;
    } catch (error) {
      if (request.signal.aborted) return false;
      entry.request = null;
      // Keeps old data rather than showing an error.
      if (entry.state.status !== "ready") this.#set(entry, { status: "error", data: null, error: asError(error) });
      return false;
    }
  }

  #entry(path: string): Entry {
    const known = this.#entries.get(path);
    if (known !== undefined) return known;
    const first = stateIn(this.#seeds, path);
    const live = stateIn(this.#live, path);
    const isLive = live !== LOADING;
    const entry: Entry = {
      state: isLive ? live : first,
      first,
      freshUntil: isLive ? this.#liveUntil : 0,
      request: null,
      watchers: new Set(),
    };
    this.#entries.set(path, entry);
    return entry;
  }

  #set(entry: Entry, state: ResourceState<unknown>): void {
    entry.state = state;
    for (const watcher of entry.watchers) watcher();
  }
}

function stateIn(answers: Answers, path: string): ResourceState<unknown> {
  return path in answers ? { status: "ready", data: answers[path], error: null } : LOADING;
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
 * Reads the answer at a path and re-renders when it changes.
 *
 * An answer is shown in a transition, so that React can handle a tap in between: a cheap phone takes
 * long to draw what came with a page.
 *
 * @param when false defers the request, for example until the element is in view.
 */
export function useResource<const P extends Path>(path: P, when = true): LoadedResource<Answer<P>> {
  const cache = useResourceCache();
  const isHydrating = useIsHydrating();
  const read = () => (isHydrating ? cache.firstState(path) : cache.state(path));
  const [shown, setShown] = useState(() => ({ cache, path, state: read() }));
  const isShown = shown.cache === cache && shown.path === path;
  const state = isShown ? shown.state : cache.state(path);
  useEffect(() => {
    const show = () => {
      const next = cache.state(path);
      const update = () => {
        setShown((old) => (old.path === path && old.state === next ? old : { cache, path, state: next }));
      };
      // What must not be seen any more goes at once.
      if (next.status === "ready") startTransition(update);
      else update();
    };
    show();
    return cache.watch(path, show);
  }, [cache, path]);
  const waiting = state.status === "loading" ? state : null;
  useEffect(() => {
    if (when) cache.load(path);
  }, [cache, path, when, waiting]);
  const reload = useCallback(() => void cache.reload(path), [cache, path]);
  return useMemo(() => ({ ...state, reload }), [state, reload]);
}

