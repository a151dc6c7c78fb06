import { MissingPage } from "@/features/story/missing-page";

export function NotFoundPage() {
  return <MissingPage />;
}
