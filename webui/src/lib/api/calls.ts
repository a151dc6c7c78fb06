import type { Calls, ImpactReport, Proposal } from "@/api/schema";

/** What a page shows first of a project or a proposal; what does not apply is empty. */
export type FirstView = {
  readonly title: string;
  readonly picture: string;
  /** The end of voting. */
  readonly tag: string;
  /** Marks sample content. */
  readonly sample: string;
};

/** What the home page says first; what does not apply is empty. */
export type HeroTexts = {
  readonly badge: string;
  readonly headline: string;
  /** The headline's language: that of the operator, or of the page. */
  readonly lang: string;
  /** Marks sample content. */
  readonly mark: string;
  /** What the books say, below a headline that says something else. */
  readonly live: string;
};

/** A square of the cloth that somebody shared: its drawing, and who wove it. */
export type SharedSquare = { readonly html: string; readonly woven: string };

/** A legal text as the server wrote it into its page; `version` is that of the address. */
export type LegalFirst = { readonly version: string; readonly html: string };

/** What the home page needs of a vote in progress. */
export type OpenVote = Pick<
  Proposal,
  "id" | "slug" | "title" | "category" | "endDate" | "status" | "tally" | "userVote"
>;

/**
 * What the server writes into a page beside answers of the API: slots of the first view, and parts of
 * answers. A fragment is not sent, so that `#open` and `#years` are requested as the whole answers.
 */
type Sent = {
  readonly "/#hero": HeroTexts;
  readonly "/#square": SharedSquare;
  readonly "/legal/terms#text": LegalFirst;
  readonly "/legal/privacy#text": LegalFirst;
  readonly "/user/get-proposals#open": readonly OpenVote[];
  readonly "/impact#years": Pick<ImpactReport, "archive">;
  readonly [first: `${string}#first`]: FirstView;
};

/** A path with its parameters filled in. */
type Filled<P extends string> = P extends `${infer Head}{${string}}${infer Tail}`
  ? `${Head}${string}${Filled<Tail>}`
  : P;

type Reads = Sent & {
  readonly [C in keyof Calls as C extends `GET ${infer P}`
    ? Filled<P> | `${Filled<P>}?${string}`
    : never]: Calls[C]["answer"];
};

type Sends = {
  readonly [C in keyof Calls as C extends `GET ${string}` ? never : Filled<C>]: Calls[C];
};

/** The path of a GET, with a query or without. */
export type Path = keyof Reads & string;

/** The answer at a path. */
export type Answer<P extends Path> = Reads[P];

/** Any other call, such as `POST /user/votes`. */
export type Call = keyof Sends & string;

/** The answer to a call. */
export type Reply<C extends Call> = Sends[C]["answer"];

/** The body of a call; JSON leaves out what is undefined. */
export type Body<C extends Call> = Sends[C] extends { readonly body: infer B }
  ? Sendable<B>
  : "body" extends keyof Sends[C]
    ? Sendable<Sends[C]["body"]> | undefined
    : undefined;

type Sendable<B> = {
  readonly [K in keyof B]: undefined extends B[K] ? B[K] | undefined : B[K];
};
