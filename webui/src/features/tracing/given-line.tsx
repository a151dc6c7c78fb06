import { Link } from "react-router-dom";
import { LoadFailure } from "@/components/resource-view/resource-view";
import { Skeleton } from "@/components/skeleton/skeleton";
import membershipTexts from "@/messages/en/membership.json";
import { useResource } from "@/lib/api/resource";
import { comingCharges } from "@/lib/member/member";
import { useMemberArea } from "@/lib/member/member-context";
import { paths } from "@/lib/page/paths";
import { amountOf, formatDate, formatDollarsOfCents } from "@/lib/text/format";
import { rich, translator } from "@/lib/text/messages";
import { useToday } from "@/lib/ui/use-today";

const t = translator(membershipTexts);

/** What a member gave so far, the last step that was done with it, the next charge and the open votes. */
export function GivenLine({ openVotes }: { readonly openVotes: number | null }) {
  const { member } = useMemberArea();
  // Before the first payment the server tells a member nothing of it.
  const hasPaid = member.pledgeStatus !== "incomplete";
  const trace = useResource("/user/impact", hasPaid);
  const projects = useResource("/projects");
  const today = useToday();
  if (!hasPaid) return null;
  if (trace.status === "error") return <LoadFailure state={trace} what={t("given.failed")} />;
  if (projects.status === "error") return <LoadFailure state={projects} what={t("given.failed")} />;
  if (trace.data === null || projects.data === null) {
    return (
      <p role="status">
        <Skeleton />
      </p>
    );
  }
  const reached = new Set((trace.data.funds.projects?.paid ?? []).map(({ account }) => account));
  const [project] = projects.data
    .filter(({ account }) => reached.has(account))
    .toSorted((left, right) => (right.lastStepOn ?? "").localeCompare(left.lastStepOn ?? ""));
  const [next] = comingCharges(member);
  return (
    <p>
      {rich(t("given", { amount: amountOf(trace.data.keptCents, formatDollarsOfCents) }), {
        mine: (inner) => <Link className="link" to={paths.myImpact}>{inner}</Link>,
      })}
      {project?.lastStepOn
        ? rich(` ${t("given.step", { name: project.title, date: formatDate(project.lastStepOn, today) })}`, {
            project: (inner) => <Link className="link" to={paths.project(project.slug)}>{inner}</Link>,
          })
        : null}
      {next === undefined ? null : ` ${t("given.next", { date: formatDate(next.date, today) })}`}
      {openVotes
        ? rich(` ${t("given.votes", { count: openVotes })}`, {
            votes: (inner) => <Link className="link" to={paths.proposals}>{inner}</Link>,
          })
        : null}
    </p>
  );
}
