import { screen, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { publicAnswers } from "@/testing/builders";
import { fakeApi, refusal } from "@/testing/fake-api";
import { renderApp } from "@/testing/render-app";

describe("newsletter and links from emails", () => {
  test("the form asks for an address, then says where the link went", async () => {
    const api = fakeApi({ ...publicAnswers(), "POST /newsletter": { success: true } });
    const { user } = renderApp("/faqs");
    const footer = within(await screen.findByRole("contentinfo"));
    await user.click(footer.getByRole("button", { name: "Join" }));

    expect(footer.getByRole("textbox", { name: "Email address" })).toBeInvalid();

    await user.type(footer.getByRole("textbox", { name: "Email address" }), "amara@example.org");
    await user.click(footer.getByRole("button", { name: "Join" }));

    expect(
      await footer.findByText(/Almost there. Open the link we sent to amara@example.org/),
    ).toBeVisible();
    expect(api.calls).toContainEqual(
      expect.objectContaining({ path: "/newsletter", body: { email: "amara@example.org" } }),
    );
  });

  test.each([
    ["/newsletter/confirm", "Confirm my subscription", "You're on the list."],
    ["/newsletter/unsubscribe", "Unsubscribe", "You're unsubscribed."],
    ["/partners/confirm", "Confirm this address", "The address is confirmed."],
    ["/confirm-address", "Confirm my address", "Your address is confirmed."],
    ["/agree-address", "I agree", "You agreed to the new address."],
    ["/undo-change", "Undo the change", "The change is undone."],
    ["/stop-pledge", "Stop my pledge", "Your pledge is stopped."],
  ])("%s acts on a press, not on opening", async (address, button, done) => {
    const api = fakeApi({ ...publicAnswers(), [`POST ${address}`]: { success: true } });
    const { user } = renderApp(`${address}?code=abc`);
    await screen.findByRole("button", { name: button });

    expect(api.calls.some((call) => call.method === "POST")).toBe(false);

    await user.click(screen.getByRole("button", { name: button }));

    expect(await screen.findByRole("heading", { name: done })).toBeVisible();
    expect(api.calls).toContainEqual(
      expect.objectContaining({ path: address, body: { code: "abc" } }),
    );
  });

  test("a link without its code says what to do, a used one what the server says", async () => {
    fakeApi({
      ...publicAnswers(),
      "POST /newsletter/confirm": refusal(422, "This link has been used."),
    });
    renderApp("/newsletter/confirm");

    expect(await screen.findByText("This link is incomplete.")).toBeVisible();
  });
});
