declare module "*.woff2" {
  const address: string;
  export default address;
}

/** Sample content of data/, for the about page. */
declare module "virtual:samples" {
  export const projects: readonly {
    readonly title: string;
    readonly summary: string;
    readonly category: string;
  }[];
  /** Without a text: a monthly contribution. */
  export const entries: readonly { readonly text: string | null; readonly cents: number }[];
}
