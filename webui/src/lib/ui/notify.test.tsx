import { render, screen } from "@testing-library/react";
import { StrictMode } from "react";
import { expect, test, vi } from "vitest";
import { Notices, notify } from "./notify";

test("the first notice is shown outside the page and logged", async () => {
  const log = vi.spyOn(console, "warn").mockReturnValue();
  const { container } = render(
    <StrictMode>
      <Notices />
    </StrictMode>,
  );
  notify.error("It did not work.");

  const notice = await screen.findByRole("alert");
  expect(notice).toHaveTextContent("It did not work.");
  expect(container).not.toContainElement(notice);
  expect(log).toHaveBeenCalledWith("It did not work.");
});
