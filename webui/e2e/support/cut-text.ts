// What runs inside the page has its helpers inside.
/* oxlint-disable unicorn/consistent-function-scoping */
import type { Page } from "playwright-core";

/**
 * What a reader of this page cannot see or reach at the width of the window, each in one line: text
 * that is cut off, covers other text or leaves its control, and controls that something covers.
 */
export async function findCutText(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    // Fonts round; a letter's slope and a line's rounding are no cut.
    const TOLERANCE = 3;
    const root = document.documentElement;
    const faults: string[] = [];
    const top = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;

    const name = (element: Element) => {
      const classes = element.getAttribute("class")?.split(" ")[0] ?? "";
      return `<${element.localName}${classes === "" ? "" : ` .${classes}`}>`;
    };
    const isSeen = (element: Element) =>
      element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true, contentVisibilityAuto: true }) &&
      element.closest(".vh, [aria-hidden=true], [inert], .Toastify") === null &&
      !isClippedAway(element);
    const isClippedAway = (element: Element): boolean => {
      for (let at: Element | null = element; at !== null; at = at.parentElement) {
        if (getComputedStyle(at).clipPath.startsWith("inset(50%")) return true;
      }
      return false;
    };
    /** The beginning of a long text: the rest shows when it is unfolded. */
    const isFolded = (element: Element) => {
      for (let at: Element | null = element; at !== null; at = at.parentElement) {
        const { maskImage, webkitLineClamp } = getComputedStyle(at);
        if (maskImage !== "none" || webkitLineClamp !== "none") return true;
      }
      return false;
    };
    /** The box that cuts off what leaves it; what scrolls is reached. */
    const cutterOf = (element: Element, fixed: boolean) => {
      for (let at = element.parentElement; at !== null && at !== root; at = at.parentElement) {
        const { overflowX, position } = getComputedStyle(at);
        if (position === "fixed") fixed = true;
        if (overflowX === "auto" || overflowX === "scroll") return null;
        if ((overflowX === "hidden" || overflowX === "clip") && at !== document.body) return at;
      }
      return fixed ? null : root;
    };

    const width = root.scrollWidth - root.clientWidth;
    if (width > 0) faults.push(`the page is ${width} px too wide`);

    type Line = { readonly text: string; readonly owner: Element; readonly box: DOMRect };
    const lines: Line[] = [];
    const walker = document.createTreeWalker(top, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.textContent?.trim() ?? "";
      const owner = node.parentElement;
      if (text === "" || owner === null || !isSeen(owner) || owner.closest("svg, style, script, option, noscript") !== null || isFolded(owner)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const cutter = cutterOf(owner, false);
      const edges = cutter === root ? new DOMRect(0, -1e6, root.clientWidth, 2e6) : cutter?.getBoundingClientRect();
      for (const box of range.getClientRects()) {
        if (box.width < 1) continue;
        lines.push({ text: text.slice(0, 40), owner, box });
        if (edges === undefined) continue;
        // A tight line is lower than its letters' box.
        const slack = box.height / 4;
        const isCut =
          box.left < edges.left - TOLERANCE ||
          box.right > edges.right + TOLERANCE ||
          box.top < edges.top - slack ||
          box.bottom > edges.bottom + slack;
        if (isCut) faults.push(`"${text.slice(0, 40)}" is cut off by ${name(cutter ?? root)}`);
      }
    }

    const fixedOf = (element: Element) => {
      for (let at: Element | null = element; at !== null; at = at.parentElement) {
        if (["fixed", "sticky"].includes(getComputedStyle(at).position)) return at;
      }
      return null;
    };
    const layers = new Map(lines.map(({ owner }) => [owner, fixedOf(owner)]));
    lines.sort((one, other) => one.box.top - other.box.top);
    for (const [index, { box, owner, text }] of lines.entries()) {
      for (const other of lines.slice(index + 1)) {
        if (other.box.top > box.bottom) break;
        if (other.owner === owner || layers.get(other.owner) !== layers.get(owner)) continue;
        const across = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
        const down = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
        if (across > TOLERANCE && down > Math.min(box.height, other.box.height) / 2) {
          faults.push(`"${text}" and "${other.text}" are written over each other`);
        }
      }
    }

    const controls = [...top.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")];
    const scrolledTo = [window.scrollX, window.scrollY] as const;
    for (const control of controls) {
      if (!isSeen(control) || control.matches(":disabled")) continue;
      const label = (control.getAttribute("aria-label") ?? control.textContent ?? "").trim().slice(0, 40);
      const what = `${name(control)} "${label || control.getAttribute("name") || ""}"`;
      if (control.scrollWidth > control.clientWidth + TOLERANCE && control.matches("button")) {
        faults.push(`${what} is too narrow for its text`);
      }
      const holder = control instanceof HTMLInputElement && ["radio", "checkbox", "file"].includes(control.type) ? control.closest("label") ?? control : control;
      if (control instanceof HTMLElement) control.focus({ preventScroll: true });
      holder.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
      const [box] = holder.getClientRects();
      if (box === undefined || box.width === 0) continue;
      const seen = Math.max(box.top, 0) + Math.min(box.bottom, innerHeight);
      const hit = document.elementFromPoint(box.left + box.width / 2, seen / 2);
      const reached = hit !== null && (holder.contains(hit) || hit.contains(holder) || hit.closest("a, button, label, summary") === holder.closest("a, button, label, summary"));
      if (!reached) faults.push(`${what} is covered by ${hit === null ? "the edge of the window" : name(hit)}`);
    }
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    window.scrollTo({ left: scrolledTo[0], top: scrolledTo[1], behavior: "instant" });
    return [...new Set(faults)];
  });
}
