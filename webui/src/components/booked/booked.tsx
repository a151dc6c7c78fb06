import { Link } from "react-router-dom";
import { SampleTag } from "@/components/badge/badge";
import commonTexts from "@/messages/en/common.json";
import { bookedParts } from "@/lib/text/booked";
import { translator } from "@/lib/text/messages";

const t = translator(commonTexts);

/** Words of the books in the reader's language, as a link if there is a page; a mark beside them says that it is a sample. */
export function Booked({ written, to }: { readonly written: string; readonly to?: string | undefined }) {
  const { text, isSample } = bookedParts(written);
  const shown = to === undefined ? text : <Link className="link" to={to}>{text}</Link>;
  if (!isSample) return shown;
  return (
    <>
      {shown} <SampleTag>{t("sample")}</SampleTag>
    </>
  );
}
