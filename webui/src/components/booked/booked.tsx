import { Link } from "react-router-dom";
import { SampleTag } from "@/components/badge/badge";
import { bookedText } from "@/lib/text/booked";

/** Words of the books in the reader's language, as a link if there is a page, with the mark of a sample beside them. */
export function Booked({ written, sample, to }: Readonly<{ written: string; sample: boolean | undefined; to?: string | undefined }>) {
  const text = bookedText(written);
  return (
    <>
      {to === undefined ? text : <Link className="link" to={to}>{text}</Link>}
      {sample ? <> <SampleTag /></> : null}
    </>
  );
}
