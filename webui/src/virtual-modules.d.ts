declare module "virtual:legal/terms" {
  export const html: string;
}

declare module "virtual:legal/privacy" {
  export const html: string;
}
