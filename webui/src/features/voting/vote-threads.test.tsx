import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import { aTally } from "@/testing/reports";
import { VoteThreads } from "./vote-threads";

test.each([1, 5, 60, 240])("with %i changemakers the mark is a hair, and threads are not apart", (roll) => {
  const { container } = render(<VoteThreads isBold own="upvote" tally={aTally({ yes: 1, roll })} />);
  const widths = [...container.querySelectorAll("rect")].map((rect) => Number(rect.getAttribute("width")) / roll);
  const [mark = 1, , ...threads] = widths.toReversed();

  expect(mark).toBeLessThanOrEqual(0.0061);
  expect(threads.reduce((sum, width) => sum + width, 0)).toBeGreaterThan(0.61);
  expect(1 / roll - Math.min(...threads)).toBeLessThanOrEqual(0.0061);
});
