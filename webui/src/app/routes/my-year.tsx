import { useParams } from "react-router-dom";
import { NotFound } from "@/components/not-found/not-found";
import { YearView } from "@/features/following/year-view";
import { YearVotes } from "@/features/voting/year-votes";
import { PageMeta } from "@/lib/page/page-meta";
import { translator } from "@/lib/text/messages";
import yearTexts from "@/messages/en/year.json";

const t = translator(yearTexts);

export function MyYearPage() {
  const { year = "" } = useParams();
  if (!/^20\d\d$/.test(year)) return <NotFound />;
  return (
    <>
      <PageMeta description={t("meta.text")} index={false} title={t("meta.title")} />
      <YearView key={year} votes={(since) => <YearVotes since={since} year={year} />} year={year} />
    </>
  );
}
