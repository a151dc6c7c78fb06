// The documents of an act: fetched with the session, checked against the text that is signed.

import { button, element } from "@/field/elements";
import { say, spoken } from "@/field/texts";
import { digest, hex } from "./bytes";
import { fetchBytes } from "./calls";
import type { Act } from "./calls";

type Paper = Act["papers"][number];

/** A line and a button for each document; `complain` says what went wrong. */
export function paperRows(act: Act, complain: (error: unknown) => void): readonly HTMLElement[] {
  return act.papers.map((paper) => {
    const size = new Intl.NumberFormat(spoken()).format(Math.ceil(paper.bytes / 1000));
    const kind = say(`paper_${paper.kind}`);
    const place = element("div", {});
    const look = button(say("look", { kind, size }), () => {
      look.disabled = true;
      show(act, paper, kind)
        .then((shown) => place.replaceChildren(shown), complain)
        .finally(() => (look.disabled = false));
    });
    const twice = paper.otherEntries.length === 0 ? [] : [element("p", { class: "problem" }, say("paperTwice", { entries: paper.otherEntries.join(", ") }))];
    return element("div", { class: "row" }, look, ...twice, place);
  });
}

async function show(act: Act, paper: Paper, kind: string): Promise<HTMLElement> {
  const bytes = await fetchBytes(`/waiting/${act.id}/papers/${paper.sha256}`);
  if (hex(await digest(bytes)) !== paper.sha256 || !act.document.includes(paper.sha256)) return element("p", { class: "problem" }, say("paperChanged"));
  const blob = new Blob([bytes], { type: paper.mediaType });
  if (paper.mediaType.startsWith("image/")) return element("img", { src: await dataUrl(blob), alt: kind, class: "paper" });
  return element("a", { href: URL.createObjectURL(blob), download: `${kind}-${paper.sha256.slice(0, 8)}.pdf` }, say("paperSave"));
}

/** The address of a picture; the site's policy lets pages show no other that is not the server's. */
async function dataUrl(blob: Blob): Promise<string> {
  return await new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(String(reader.result)));
    reader.addEventListener("error", () => reject(new Error("The picture cannot be read.")));
    reader.readAsDataURL(blob);
  });
}
