import { screen } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { publicAnswers } from "@/testing/builders";
import { someEmailKinds } from "@/testing/email-kinds";
import { fakeApi, refusal } from "@/testing/fake-api";
import { renderApp } from "@/testing/render-app";

const MEMBER = { success: true, message: "", email: "ama@example.org", isMember: true, choice: "monthly" };
const CALL = "POST /emails/choice";

function page(answer: unknown) {
  const api = fakeApi({ ...publicAnswers(), "GET /emails": someEmailKinds(), [CALL]: answer });
  return { api, ...renderApp("/emails?code=abc") };
}

describe("the page behind the link in each email", () => {
  test("shows a member's choice without signing in, and saves another", async () => {
    const { api, user } = page(MEMBER);
    expect(await screen.findByText("For ama@example.org. You don't need to sign in.")).toBeVisible();
    expect(await screen.findByRole("radio", { name: /Once a month/ })).toBeChecked();
    await user.click(screen.getByRole("radio", { name: /^Nothing/ }));
    api.answer(CALL, { ...MEMBER, choice: "nothing" });
    await user.click(screen.getByRole("button", { name: "Save" }));

    expect(await screen.findByText("Saved.")).toBeVisible();
    expect(api.calls.filter(({ path }) => path === "/emails/choice").map(({ body }) => body)).toEqual([
      { code: "abc" },
      { code: "abc", choice: "nothing" },
    ]);
  });

  test("gives a reader the newsletter or nothing", async () => {
    page({ ...MEMBER, isMember: false });
    await screen.findByRole("radio", { name: /Once a month/ });

    expect(screen.getAllByRole("radio")).toHaveLength(2);
    expect(screen.getByText("We tell of votes.")).toBeInTheDocument();
    expect(screen.queryByText("We send receipts.")).toBeNull();
  });

  test("says that an address gets nothing, such as one of a member who left", async () => {
    page({ ...MEMBER, isMember: false, choice: "nothing" });

    expect(await screen.findByText(/has no account here, and no newsletter/)).toBeVisible();
  });

  test("says what is wrong with a link", async () => {
    page(refusal(422, "This link is incomplete."));

    expect(await screen.findByRole("alert")).toHaveTextContent("This link is incomplete.");
    expect(screen.queryByRole("radio")).toBeNull();
  });
});
