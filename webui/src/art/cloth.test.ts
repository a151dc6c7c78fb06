import { expect, test } from "vitest";
import { clothInner } from "./cloth";

// Browsers count a text's shadow in its size, which would make it the largest contentful paint.
test("the word in the next square stands outside the part that casts a shadow", () => {
  const drawn = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  drawn.innerHTML = clothInner({ woven: 3, columns: 10, rows: 10, id: "test", next: { word: "you" } });
  const [cloth, next] = drawn.children;
  expect(cloth?.querySelectorAll("[data-row]")).toHaveLength(1);
  expect(cloth?.querySelector("text")).toBeNull();
  expect(next?.querySelector("text")?.textContent).toBe("you");
});
