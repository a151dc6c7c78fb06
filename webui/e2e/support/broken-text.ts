import type { Page } from "playwright-core";

/** Amounts of money on two lines that have room on one, and words at the head of a table's row that break inside. */
export async function findBrokenText(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const AMOUNT = /[+\u2212]?(?:\$\d[\d,.]*|\d[\d\u00A0\u202F.,]*[\u00A0\u202F](?:\$(?:\u00A0US)?|\u20AC))/g;
    const WORD = /\p{L}+/gu;
    const faults: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const owner = node.parentElement;
      if (owner === null || !owner.checkVisibility() || owner.closest(".vh, [aria-hidden=true], [inert], svg, script, style") !== null) continue;
      let block = owner;
      while (getComputedStyle(block).display === "inline" && block.parentElement !== null) block = block.parentElement;
      const { paddingLeft, paddingRight } = getComputedStyle(block);
      const room = (block.closest("table") ?? block).clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
      const text = node.textContent ?? "";
      for (const { 0: part, index } of [...text.matchAll(AMOUNT), ...(owner.matches("main th") ? text.matchAll(WORD) : [])]) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + part.length);
        const boxes = [...range.getClientRects()].filter(({ width }) => width > 1);
        const isBroken = boxes.some(({ top }) => top > (boxes[0]?.bottom ?? 0) - 3);
        if (isBroken && boxes.reduce((sum, { width }) => sum + width, 0) < room) faults.push(`"${part}" breaks inside`);
      }
    }
    return faults;
  });
}
