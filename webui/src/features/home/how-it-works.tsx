import { ButtonLink } from "@/components/button/button";
import { stepPictures } from "@/components/step-pictures/step-pictures";
import { SvgArt } from "@/components/svg-art/svg-art";
import firstTexts from "@/messages/en/home.json";
import homeTexts from "@/messages/en/home-rest.json";
import { classNames } from "@/lib/ui/class-names";
import { useSiteConfig } from "@/lib/models/config";
import { pledgeLimits } from "@/lib/payments/pledge-limits";
import { translator } from "@/lib/text/messages";
import { paths } from "@/lib/page/paths";
import { useSignedIn } from "@/lib/session/session";
import styles from "./how-it-works.module.css";

const t = translator(homeTexts);
const home = translator(firstTexts);
const VIEW_BOX = "0 0 300 200";

/** The three steps, side by side. */
export function HowItWorks() {
  const config = useSiteConfig().data;
  const signedIn = useSignedIn();
  const [pledge, vote, track] = stepPictures(config);
  const member = signedIn ? { to: paths.dashboard, go: t("how.dashboard") } : null;
  const steps = [
    {
      field: "field-hibiscus",
      picture: pledge,
      title: t("how.1"),
      text: t("how.1-text", pledgeLimits()),
      ...(member ?? { to: paths.join, go: home("hero.join") }),
    },
    {
      field: "field-palm",
      picture: vote,
      title: t("how.2"),
      text: t("how.2-text"),
      to: paths.proposals,
      go: t("how.2-go"),
    },
    {
      field: "field-indigo",
      picture: track,
      title: t("how.3"),
      text: t("how.3-text"),
      ...(member ?? { to: paths.join, go: home("hero.join") }),
    },
  ];
  return (
    <section aria-labelledby="how-title" className="below">
      <div className={classNames("wrap", styles.head)}>
        <h2 className="d1" id="how-title">
          {t("how.title")}
        </h2>
      </div>
      <div className={classNames("on-dark", styles.steps)}>
        {steps.map((step) => (
          <article className={step.field} key={step.title}>
            <SvgArt className={styles.picture} inner={step.picture} viewBox={VIEW_BOX} />
            <h3>{step.title}</h3>
            <p>{step.text}</p>
            <ButtonLink kind="line" to={step.to}>
              {step.go}
            </ButtonLink>
          </article>
        ))}
      </div>
    </section>
  );
}
