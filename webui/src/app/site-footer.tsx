import { Footer } from "@/components/footer/footer";
import { NewsletterForm } from "@/features/newsletter/newsletter-form";
import { keepLanguage } from "@/lib/member/language";
import { useSiteConfig } from "@/lib/models/config";
import { useSignedIn } from "@/lib/session/session";
import { showIn } from "@/lib/text/languages";

/** The footer with the newsletter form in it. */
export function SiteFooter() {
  const config = useSiteConfig().data;
  const signedIn = useSignedIn();
  const choose = async (language: string) => {
    // Without an answer the page changes all the same, and the account keeps its language.
    if (signedIn) await keepLanguage(language).catch(() => null);
    showIn(language);
  };
  return (
    <Footer
      newsletter={<NewsletterForm />}
      onLanguage={(language) => void choose(language)}
      socialLinks={config?.socialLinks ?? []}
    />
  );
}
