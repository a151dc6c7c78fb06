import { useLocation, useNavigate } from "react-router-dom";
import type { ProjectCard as Card } from "@/api/schema";
import { PaidList } from "@/components/paid-list/paid-list";
import catalogueTexts from "@/messages/en/catalogue.json";
import { translator } from "@/lib/text/messages";
import { useResource } from "@/lib/api/resource";
import { useHydrated } from "@/lib/page/use-hydrated";
import { Listed } from "./listed";
import { ProjectCard, ProjectCardSkeletons } from "./project-card";
import cardStyles from "./project-card.module.css";

const t = translator(catalogueTexts);

// Spec §9: six at first, three more per click.
const FIRST = 6;
const MORE = 3;
const IN_FIRST_ROW = 3;

/** The projects, page by page. */
export function ProjectGrid() {
  const projects = useResource("/projects");
  return (
    <Listed
      isEmpty={(all) => all.length === 0}
      kind="projects"
      skeleton={<ProjectCardSkeletons count={FIRST} />}
      state={projects}
    >
      {(all) => <PagedGrid projects={all} />}
    </Listed>
  );
}

function PagedGrid({ projects }: { readonly projects: readonly Card[] }) {
  const [shown, setShown] = useShown();
  const total = projects.length;
  return (
    <PaidList
      className={cardStyles.grid}
      elements={projects.slice(0, shown).map((project, place) => (
        <li key={project.id}>
          <ProjectCard eager={place < IN_FIRST_ROW} project={project} />
        </li>
      ))}
      more={{
        shown: t("showing", { shown: Math.min(shown, total), total }),
        label: t("load-more"),
        load: shown < total ? () => setShown(shown + MORE) : null,
      }}
    />
  );
}

/** The number of projects shown, kept in the history so that Back returns to the same place. */
function useShown(): readonly [number, (shown: number) => void] {
  const navigate = useNavigate();
  const { state } = useLocation();
  const hydrated = useHydrated();
  const kept = (state as { readonly shown?: unknown } | null)?.shown;
  const shown = hydrated && typeof kept === "number" ? kept : FIRST;
  return [shown, (more) => void navigate(".", { replace: true, state: { shown: more } })];
}
