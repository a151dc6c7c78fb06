import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import { publicAnswers } from "@/testing/builders";
import { fakeApi } from "@/testing/fake-api";
import { currentAddress, expectNoBarriers, renderApp } from "@/testing/render-app";

describe("share", () => {
  test("the dialog opens over the home page, and closing it goes home", async () => {
    fakeApi(publicAnswers());
    const { user } = renderApp("/share");
    const dialog = await screen.findByRole("dialog", { name: "Spread the word" });

    expect(within(dialog).getByRole("textbox", { name: "Message" })).toHaveValue(
      "Take a look @JoinJara - Diasporans contributing financially to sustainable development efforts around the world.: https://jara.example",
    );
    await waitFor(() => expect(within(dialog).getByRole("button", { name: "X" })).toHaveFocus());
    await screen.findByText(/disbursed/);
    await expectNoBarriers();
    await user.keyboard("{Escape}");

    await waitFor(() => expect(currentAddress()).toBe("/"));
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  test("X and Facebook open in a popup of 550 by 420, WhatsApp in a new tab", async () => {
    fakeApi(publicAnswers());
    const open = vi.spyOn(window, "open").mockReturnValue(null);
    const { user } = renderApp("/share");
    const dialog = within(await screen.findByRole("dialog"));
    await user.click(dialog.getByRole("button", { name: "X" }));
    await user.click(dialog.getByRole("button", { name: "Facebook" }));
    await user.click(dialog.getByRole("button", { name: "WhatsApp" }));

    const size = expect.stringContaining("width=550,height=420");
    expect(open).toHaveBeenNthCalledWith(
      1,
      expect.stringContaining("https://x.com/"),
      "share",
      size,
    );
    expect(open).toHaveBeenNthCalledWith(
      2,
      expect.stringContaining("https://www.facebook.com/"),
      "share",
      size,
    );
    expect(open).toHaveBeenNthCalledWith(
      3,
      expect.stringContaining("https://wa.me/"),
      "_blank",
      "noopener",
    );
  });

  test("copying is confirmed for two seconds; a failure is reported", async () => {
    fakeApi(publicAnswers());
    const { user } = renderApp("/share");
    const dialog = within(await screen.findByRole("dialog"));
    await user.click(dialog.getByRole("button", { name: "Copy" }));

    expect(await dialog.findByRole("button", { name: "Copied!" })).toBeVisible();
    await waitFor(() => expect(dialog.getByRole("button", { name: "Copy" })).toBeVisible(), {
      timeout: 2600,
    });

    vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new Error("blocked"));
    await user.click(dialog.getByRole("button", { name: "Copy" }));

    expect(await screen.findByText(/Failed to copy text/)).toBeVisible();
  });
});

test("a member shares their own square, which the address names without their name", async () => {
  fakeApi(publicAnswers());
  renderApp("/share?square=3-1-2");

  expect(
    within(await screen.findByRole("dialog")).getByRole("textbox", { name: "Message" }),
  ).toHaveDisplayValue(/: https:\/\/jara.example\/\?square=3-1-2$/);
});

test("what is not a square is not shared", async () => {
  fakeApi(publicAnswers());
  renderApp("/share?square=%22%3E");

  expect(
    within(await screen.findByRole("dialog")).getByRole("textbox", { name: "Message" }),
  ).toHaveDisplayValue(/: https:\/\/jara.example$/);
});
