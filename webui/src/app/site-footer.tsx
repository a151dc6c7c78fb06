import { Footer } from "@/components/footer/footer";
import { NewsletterForm } from "@/features/newsletter/newsletter-form";
import { useSiteConfig } from "@/lib/models/config";

/** The footer with the newsletter form in it. */
export function SiteFooter() {
  const config = useSiteConfig().data;
  return <Footer newsletter={<NewsletterForm />} socialLinks={config?.socialLinks ?? []} />;
}
