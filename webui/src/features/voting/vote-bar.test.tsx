import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { aProposal } from "@/testing/proposals";
import { aTally } from "@/testing/reports";
import { VoteBar } from "./vote-bar";

test.each([1, 5, 60, 240])("with %i changemakers the mark is a hair, and threads are not apart", (roll) => {
  const { container } = render(<VoteBar closed={false} own="upvote" proposal={aProposal({ tally: aTally({ yes: 1, roll }) })} />);
  const widths = [...container.querySelectorAll("rect")].map((rect) => Number(rect.getAttribute("width")) / roll);
  const [mark = 1, , ...threads] = widths.toReversed();

  expect(mark).toBeLessThanOrEqual(0.0061);
  expect(threads.reduce((sum, width) => sum + width, 0)).toBeGreaterThan(0.61);
  expect(1 / roll - Math.min(...threads)).toBeLessThanOrEqual(0.0061);
});

test("the shares are those that were served", () => {
  render(<VoteBar closed={false} own={null} proposal={aProposal({ upvotePercentage: 49.96, downvotePercentage: 9.3 })} />);

  expect(screen.getByRole("meter", { name: /Yes votes/ })).toHaveAttribute("aria-valuetext", "49.9%");
  expect(screen.getByRole("meter", { name: "No votes" })).toHaveAttribute("aria-valuenow", "9.3");
});
