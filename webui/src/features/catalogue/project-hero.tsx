import type { ReactNode } from "react";
import { Badge, SampleText } from "@/components/badge/badge";
import { ButtonLink } from "@/components/button/button";
import { Scene } from "@/components/scene/scene";
import { Skeleton } from "@/components/skeleton/skeleton";
import catalogueTexts from "@/messages/en/catalogue.json";
import { classNames } from "@/lib/ui/class-names";
import { useFirstView } from "@/lib/page/first-view";
import { translator } from "@/lib/text/messages";
import { paths } from "@/lib/page/paths";
import styles from "./project-hero.module.css";

const t = translator(catalogueTexts);

/** First view of a project: title and picture. */
export function ProjectHero({
  title,
  written,
  picture,
  category,
  tags,
}: {
  readonly title: string;
  /** The language of the title, if it is known and not the page's. */
  readonly written?: { readonly lang?: string };
  readonly picture: string | null;
  readonly category: string;
  readonly tags: ReactNode;
}) {
  return (
    <header className={styles.hero}>
      <Scene
        alt=""
        category={category}
        className={styles.picture}
        eager
        image={picture}
        subject={title}
      />
      <div className={styles.text}>
        <ButtonLink className={styles.back} icon="back" kind="quiet" size="sm" to={paths.projects}>
          {t("project.back")}
        </ButtonLink>
        <div>
          <p className={classNames("row", styles.tags)}>{tags}</p>
          <h1 {...written}>{title}</h1>
        </div>
      </div>
    </header>
  );
}

/** Placeholder of a project with the first view that the server sent. */
export function ProjectWaiting({ slug }: { readonly slug: string }) {
  const first = useFirstView(paths.project(slug));
  if (first !== null) {
    return (
      <div className="waiting">
        <ProjectHero
          category=""
          picture={first.picture}
          tags={
            <>
              <Badge>
                <Skeleton shape="words" />
              </Badge>
              <SampleText>{first.sample}</SampleText>
            </>
          }
          title={first.title}
        />
      </div>
    );
  }
  return (
    <div className="wrap section waiting">
      <h1>
        <Skeleton shape="title" />
      </h1>
      <Skeleton shape="block" />
    </div>
  );
}
