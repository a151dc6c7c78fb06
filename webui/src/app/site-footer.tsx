import { Footer } from "@/components/footer/footer";
import { NewsletterForm } from "@/features/newsletter/newsletter-form";
import { apiSend } from "@/lib/api/api-client";
import { useSiteConfig } from "@/lib/models/config";
import { useSignedIn } from "@/lib/session/session";
import { showIn } from "@/lib/text/languages";
import { socialSites } from "@/rules.json";

const SITE_NAMES: Readonly<Record<string, string>> = socialSites;

/** The footer with the newsletter form in it. */
export function SiteFooter() {
  const config = useSiteConfig().data;
  const signedIn = useSignedIn();
  const choose = async (language: string) => {
    // Without an answer the page changes all the same, and the account keeps its language.
    if (signedIn) await apiSend("PUT /user/update-profile", { language }).catch(() => null);
    showIn(language);
  };
  return (
    <Footer
      newsletter={<NewsletterForm />}
      onLanguage={(language) => void choose(language)}
      socialLinks={Object.entries(config?.social ?? {}).map(([name, url]) => ({
        name: SITE_NAMES[name] ?? name,
        url,
      }))}
    />
  );
}
