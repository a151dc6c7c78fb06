import { artPath } from "@/lib/page/paths";
import { classNames } from "@/lib/ui/class-names";
import scenes from "./scenes.json";
import styles from "./scene.module.css";

const BY_CATEGORY: Readonly<Record<string, string>> = scenes.byCategory;

// Scenes for subjects more specific than the six categories. The server uses the same rules
// to preload the picture.
const BY_SUBJECT = Object.entries(scenes.bySubject).map(
  ([pattern, name]) => [new RegExp(pattern, "i"), name] as const,
);

/** The photo of a project, or a drawn scene of its subject. */
export function Scene({
  category,
  subject,
  image,
  alt = "",
  eager = false,
  className,
}: {
  readonly category: string;
  /** The title, which may select a more specific scene. */
  readonly subject: string;
  readonly image?: string | null | undefined;
  readonly alt?: string;
  readonly eager?: boolean;
  readonly className?: string | undefined;
}) {
  return (
    <img
      alt={alt}
      className={classNames(styles.scene, className)}
      height="600"
      loading={eager ? "eager" : "lazy"}
      src={image || artPath(sceneName(category, subject))}
      width="800"
    />
  );
}

function sceneName(category: string, subject: string): string {
  const special = BY_SUBJECT.find(([pattern]) => pattern.test(subject));
  return special?.[1] ?? BY_CATEGORY[category] ?? scenes.otherwise;
}
