import { expect, test } from "vitest";
import pageTexts from "@/messages/en/project-page.json";
import { translator } from "@/lib/text/messages";

test("one milestone is one milestone", () => {
  const t = translator(pageTexts);
  expect(t("project.progress", { done: 1, total: 1 })).toBe("1 of 1 milestone complete");
  expect(t("project.progress", { done: 4, total: 5 })).toBe("4 of 5 milestones complete");
});
