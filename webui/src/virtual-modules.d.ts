declare module "virtual:legal/terms" {
  import type { LegalPart } from "@/features/legal/legal-text";

  export const parts: readonly LegalPart[];
}

declare module "virtual:legal/privacy" {
  import type { LegalPart } from "@/features/legal/legal-text";

  export const parts: readonly LegalPart[];
}

declare module "*.woff2" {
  const address: string;
  export default address;
}
