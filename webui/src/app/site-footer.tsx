import { Footer } from "@/components/footer/footer";
import { NewsletterForm } from "@/features/newsletter/newsletter-form";
import type { SiteConfig } from "@/lib/config";

/** The footer with the newsletter form in it. */
export function SiteFooter({ config }: { readonly config: SiteConfig | null }) {
  return <Footer newsletter={<NewsletterForm />} socialLinks={config?.socialLinks ?? []} />;
}
