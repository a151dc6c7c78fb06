import { clothInner, clothViewBox, framed } from "@/art/cloth";
import { ButtonLink } from "@/components/button/button";
import { SvgArt } from "@/components/svg-art/svg-art";
import homeTexts from "@/messages/en/home.json";
import restTexts from "@/messages/en/home-rest.json";
import sharingTexts from "@/messages/en/sharing.json";
import type { SharedSquare } from "@/lib/api/calls";
import { paths } from "@/lib/page/paths";
import { useSignedIn } from "@/lib/session/session";
import { translator } from "@/lib/text/messages";
import styles from "./square-greeting.module.css";

const t = translator(sharingTexts);
const home = translator(homeTexts);
const rest = translator(restTexts);

// The friend's square is the second; the reader's own place is the next one.
const STRIP = { columns: 4, rows: 1, woven: 2, fringe: 60 };

/** The square of the friend who shared the page, and beside it the place of the reader's own. */
export function SquareGreeting({ square }: { readonly square: SharedSquare }) {
  const signedIn = useSignedIn();
  const next = signedIn ? null : { word: rest("hero.you") };
  const friend = `<g transform="translate(100 0)">${framed(square.html)}</g>`;
  return (
    <section aria-label={t("greeting.label")} className={`field-palm on-dark ${styles.greeting}`}>
      <div className={`wrap ${styles.inner}`}>
        <SvgArt
          className={styles.cloth}
          inner={clothInner({ ...STRIP, id: "friend", next }) + friend}
          viewBox={clothViewBox(STRIP)}
        />
        <p className={styles.words}>
          {square.woven} <span>{t(signedIn ? "greeting.has" : "greeting.yours")}</span>
        </p>
        <ButtonLink arrow kind="accent" size="lg" to={signedIn ? paths.dashboard : paths.join}>
          {home(signedIn ? "hero.dashboard" : "hero.join")}
        </ButtonLink>
      </div>
    </section>
  );
}
