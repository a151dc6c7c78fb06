import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { publicAnswers } from "@/testing/builders";
import { someEmailKinds } from "@/testing/email-kinds";
import { fakeApi, refusal, withStatus, type FakeApi } from "@/testing/fake-api";
import { aProfile } from "@/testing/member";
import { currentAddress, expectNoBarriers, renderApp } from "@/testing/render-app";

let api: FakeApi;

beforeEach(() => {
  localStorage.setItem("token", "t.o.k");
  api = fakeApi({
    ...publicAnswers(),
    "GET /user/get-profile": aProfile(),
    "GET /events": [],
    "GET /regions": [],
    "GET /emails": someEmailKinds(),
    "GET /user/passkeys": [{ id: "old", name: "Old phone", addedOn: "2026-10-02" }],
    "GET /user/sessions": [
      { id: "here", device: "Firefox on Windows", lastUsedOn: "2026-11-20", current: true },
      { id: "lost", device: "Safari on iPhone", lastUsedOn: "2026-11-02", current: false },
    ],
  });
});

test("a passkey is named and added, another removed", async () => {
  vi.stubGlobal("PublicKeyCredential", Object);
  const response = { clientDataJSON: bytes(1, 2), attestationObject: bytes(255, 254) };
  const create = vi.fn().mockResolvedValue({ id: "new", response });
  Object.defineProperty(navigator, "credentials", { configurable: true, value: { create } });
  api.answer("POST /user/passkeys/options", {
    rp: { id: "jara.example", name: "Jara" },
    user: { id: "dXNlcg", name: "amara@example.org", displayName: "" },
    challenge: "_-8",
  });
  api.answer("POST /user/passkeys", { success: true, message: "The passkey is added." });
  api.answer("DELETE /user/passkeys/old", { success: true, message: "The passkey is removed." });
  const { user } = await account();
  await user.click(await screen.findByRole("button", { name: "Add a passkey" }));
  expect(screen.getByText("Give the passkey a name first.")).toBeVisible();
  expect(screen.getByRole("textbox", { name: "Name" })).toHaveFocus();
  await user.type(screen.getByRole("textbox", { name: "Name" }), "My phone");
  await user.click(screen.getByRole("button", { name: "Add a passkey" }));

  await waitFor(() =>
    expect(sent("POST /user/passkeys")).toEqual([
      { name: "My phone", id: "new", clientData: "AQI", attestation: "__4" },
    ]),
  );
  expect(create.mock.calls).toMatchObject([
    [{ publicKey: { challenge: new Uint8Array([255, 239]), rp: { id: "jara.example" } } }],
  ]);
  await user.click(await screen.findByRole("button", { name: "Remove" }));
  await waitFor(() => expect(sent("DELETE /user/passkeys/old")).toHaveLength(1));
});

test("a new password shows which passkeys and devices are left", async () => {
  api.answer("PUT /user/update-profile", {
    success: true,
    message: "Your password has been changed.",
  });
  const { user } = await account();
  expect(await screen.findByText("Old phone")).toBeVisible();
  api.answer("GET /user/passkeys", []);
  await user.click(screen.getByRole("button", { name: "Update password" }));
  await user.type(screen.getByLabelText("New password"), "a-new-cloth-2026");
  await user.type(screen.getByLabelText("New password again"), "a-new-cloth-2026");
  await user.click(screen.getByRole("button", { name: "Update" }));

  await waitFor(() => expect(screen.queryByText("Old phone")).toBeNull());
});

function bytes(...values: number[]): ArrayBuffer {
  return new Uint8Array(values).buffer;
}

test("where no passkey can be made and none exists, none are mentioned", async () => {
  api.answer("GET /user/passkeys", []);
  await account();
  expect(await screen.findByText("This device.")).toBeVisible();
  expect(screen.queryByRole("heading", { name: "Passkeys" })).toBeNull();
});

test("another device is signed out, and the list is read again", async () => {
  const { user } = await account();
  expect(await screen.findByText("This device.")).toBeVisible();
  api.answer("DELETE /user/sessions/lost", () => {
    api.answer("GET /user/sessions", []);
    return { success: true, message: "The device is signed out." };
  });
  await user.click(screen.getByRole("button", { name: "Sign out" }));

  await waitFor(() => expect(screen.queryByText("Safari on iPhone")).toBeNull());
  expect(sent("DELETE /user/sessions/lost")).toHaveLength(1);
});

test("a device that is not known is named so", async () => {
  const lost = { id: "lost", device: "Unknown device", lastUsedOn: "2026-11-02", current: false };
  api.answer("GET /user/sessions", [lost, { ...lost, id: "far", device: "Firefox" }]);
  await account();

  expect(await screen.findByText("Unknown device")).toBeVisible();
  expect(screen.getByText("Firefox")).toBeVisible();
});

const sent = (call: string) =>
  api.calls.filter(({ method, path }) => `${method} ${path}` === call).map(({ body }) => body);

async function account() {
  const view = renderApp("/dashboard?tab=account");
  await screen.findByRole("heading", { level: 1, name: "Account" });
  return view;
}

const reauth = () =>
  withStatus(403, {
    success: false,
    code: "reauth_required",
    message: "Please enter your current password to continue.",
    fields: { currentPassword: "Please enter your current password." },
  });

test("the newsletter switch is stored by the server", async () => {
  api.answer("PUT /user/update-profile", () => {
    api.answer("GET /user/get-profile", aProfile({ notifications: true }));
    return { success: true, message: "Notifications are ON." };
  });
  const { user } = await account();
  const toggle = screen.getByRole("switch", { name: "Subscribe to updates" });
  expect(toggle).not.toBeChecked();
  await user.click(toggle);

  await waitFor(() => expect(toggle).toBeChecked());
  expect(toggle).toHaveTextContent("ON");
  expect(sent("PUT /user/update-profile")).toEqual([{ notifications: true }]);
});

test("the finer choice is saved, and says what each email is about", async () => {
  api.answer("GET /user/get-profile", aProfile({ notifications: true, emailChoice: "monthly" }));
  api.answer("PUT /user/update-profile", () => {
    api.answer("GET /user/get-profile", aProfile({ notifications: true, emailChoice: "votes" }));
    return { success: true, message: "Your choice of emails is saved." };
  });
  const { user } = await account();
  const choices = within(await screen.findByRole("group", { name: "Which emails you get" }));
  expect(choices.getByRole("radio", { name: /Once a month/ })).toBeChecked();
  await user.click(choices.getByRole("radio", { name: /^Only votes/ }));
  await user.click(screen.getByRole("button", { name: "Save" }));

  expect(await screen.findByText("Your choice of emails is saved.")).toBeVisible();
  expect(sent("PUT /user/update-profile")).toEqual([{ emailChoice: "votes" }]);
  expect(choices.getByRole("radio", { name: /^Only votes/ })).toBeChecked();
  expect(screen.getByText("We tell of projects.")).toBeInTheDocument();
  expect(screen.queryByText("We tell operators.")).toBeNull();
});

test("the toggle moves the finer choice", async () => {
  api.answer("PUT /user/update-profile", () => {
    api.answer("GET /user/get-profile", aProfile({ notifications: true, emailChoice: "monthly" }));
    return { success: true, message: "Notifications are ON." };
  });
  const { user } = await account();
  expect(await screen.findByRole("radio", { name: /^Nothing/ })).toBeChecked();
  await user.click(screen.getByRole("switch", { name: "Subscribe to updates" }));

  await waitFor(() => expect(screen.getByRole("radio", { name: /Once a month/ })).toBeChecked());
});

test("billing opens a tab on click and then sets its address", async () => {
  const tab = { opener: {}, document: { title: "" }, location: { href: "" }, close: vi.fn() };
  vi.spyOn(window, "open").mockReturnValue(tab as unknown as Window);
  api.answer("GET /billing", { success: true, url: "https://billing.example/s" });
  const { user } = await account();
  await user.click(screen.getByRole("button", { name: "Open billing" }));

  await waitFor(() => expect(tab.location.href).toBe("https://billing.example/s"));
  expect(tab.opener).toBeNull();
  expect(window.open).toHaveBeenCalledWith("", "_blank");
});

test("if billing fails, the tab is closed and an error shown", async () => {
  const tab = { opener: {}, document: { title: "" }, location: { href: "" }, close: vi.fn() };
  vi.spyOn(window, "open").mockReturnValue(tab as unknown as Window);
  api.answer("GET /billing", refusal(502, "The provider failed."));
  const { user } = await account();
  await user.click(screen.getByRole("button", { name: "Open billing" }));

  expect(await screen.findByText("The provider failed.")).toBeVisible();
  expect(tab.close).toHaveBeenCalledOnce();
});

test("the name is updated; one row is in edit mode at a time", async () => {
  api.answer("PUT /user/update-profile", () => {
    api.answer("GET /user/get-profile", aProfile({ firstname: "Ama" }));
    return { success: true, message: "Your name is changed." };
  });
  const { user } = await account();
  await user.click(screen.getByRole("button", { name: "Update name" }));
  await user.click(screen.getByRole("button", { name: "Update email" }));
  expect(screen.queryByLabelText("First name")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Update name" }));
  expect(screen.queryByLabelText("New email")).toBeNull();
  const field = screen.getByLabelText("First name");
  expect(field).toHaveFocus();
  await user.clear(field);
  await user.type(field, "Ama");
  await user.click(screen.getByRole("button", { name: "Update" }));

  expect(await screen.findByText("Ama Joseph")).toBeVisible();
  expect(sent("PUT /user/update-profile")).toEqual([{ firstname: "Ama", lastname: "Joseph" }]);
});

test("the country is chosen from the list", async () => {
  api.answer("GET /countries", [
    { name: "Canada", isoCode: "CA" },
    { name: "Kenya", isoCode: "KE" },
  ]);
  api.answer("PUT /user/update-profile", () => {
    api.answer("GET /user/get-profile", aProfile({ country: "Kenya" }));
    return { success: true, message: "Your country has been changed." };
  });
  const { user } = await account();
  await user.click(screen.getByRole("button", { name: "Update country" }));
  const field = screen.getByRole("combobox", { name: /Country/ });
  expect(field).toHaveFocus();
  await screen.findByRole("option", { name: "Kenya" });
  await user.selectOptions(field, "Kenya");
  await user.click(screen.getByRole("button", { name: "Update" }));

  expect(await screen.findByText("Kenya", { ignore: "option" })).toBeVisible();
  expect(sent("PUT /user/update-profile")).toEqual([{ country: "Kenya" }]);
  await expectNoBarriers();
});

test("Cancel leaves everything as it was", async () => {
  const { user } = await account();
  await user.click(screen.getByRole("button", { name: "Update email" }));
  await user.type(screen.getByLabelText("New email"), "x");
  await user.click(screen.getByRole("button", { name: "Cancel" }));

  expect(screen.getByText("amara@example.org")).toBeVisible();
  expect(screen.getByRole("button", { name: "Update email" })).toHaveFocus();
  expect(sent("PUT /user/update-profile")).toEqual([]);
});

test("an old session is asked for the password; the token stays", async () => {
  api.answer("PUT /user/update-profile", reauth());
  const { user } = await account();
  await user.click(screen.getByRole("button", { name: "Update email" }));
  await user.clear(screen.getByLabelText("New email"));
  await user.type(screen.getByLabelText("New email"), "ama@example.org");
  await user.click(screen.getByRole("button", { name: "Update" }));
  const password = await screen.findByLabelText("Current password");
  expect(password).toHaveFocus();
  expect(screen.getByLabelText("New email")).toHaveValue("ama@example.org");
  api.answer("PUT /user/update-profile", {
    success: true,
    message: "Your email address is changed.",
  });
  await user.type(password, "kente river");
  await user.click(screen.getByRole("button", { name: "Update" }));

  expect(await screen.findByText("Your email address is changed.")).toBeVisible();
  expect(sent("PUT /user/update-profile")[1]).toEqual({
    email: "ama@example.org",
    currentPassword: "kente river",
  });
  expect(localStorage.getItem("token")).toBe("t.o.k");
  expect(screen.queryByLabelText("New email")).toBeNull();
});

test("a new password is typed twice, and an error stays in the row", async () => {
  const { user } = await account();
  await user.click(screen.getByRole("button", { name: "Update password" }));
  await user.type(screen.getByLabelText("New password"), "kente river");
  await user.type(screen.getByLabelText("New password again"), "kente rover");
  await user.click(screen.getByRole("button", { name: "Update" }));
  expect(screen.getByText("The two passwords don't match.")).toBeVisible();
  expect(sent("PUT /user/update-profile")).toEqual([]);
  const tooCommon = { newPassword: "This password is too common." };
  api.answer("PUT /user/update-profile", refusal(422, "Not good enough.", tooCommon));
  await user.clear(screen.getByLabelText("New password again"));
  await user.type(screen.getByLabelText("New password again"), "kente river");
  await user.click(screen.getByRole("button", { name: "Update" }));

  expect(await screen.findByText("This password is too common.")).toBeVisible();
  expect(screen.getByLabelText("New password")).toHaveValue("kente river");
});

test.each([
  ["Skip it", { skipNext: true }],
  ["Pause my pledge", { paused: true }],
])("%s changes the pledge", async (name, body) => {
  api.answer("PUT /user/pledge", { success: true, message: "Your pledge is changed." });
  const { user } = await account();
  await user.click(screen.getByRole("button", { name }));

  expect(await screen.findByText("Your pledge is changed.")).toBeVisible();
  expect(sent("PUT /user/pledge")).toEqual([body]);
});

test("the payment day is changed", async () => {
  api.answer("PUT /user/pledge", { success: true, message: "Your pledge is changed." });
  const { user } = await account();
  expect(screen.getByRole("button", { name: "Change the day" })).toBeDisabled();
  await user.click(screen.getByRole("radio", { name: /28th/ }));
  await user.click(screen.getByRole("button", { name: "Change the day" }));

  await waitFor(() => expect(sent("PUT /user/pledge")).toEqual([{ billingDay: "28" }]));
});

test("the own payment day is named, also when the next month is short", async () => {
  const nextCharges = ["2027-01-30", "2027-02-28", "2027-03-30"].map((date) => ({ date, amountCents: 1000 }));
  api.answer("GET /user/get-profile", aProfile({ billingDay: "current", nextCharges }));
  await account();
  expect(screen.getByRole("radio", { name: /The 30th/ })).toBeChecked();
});

test("the pledge stops after a confirmation", async () => {
  api.answer("PUT /user/pledge", { success: true, message: "Your pledge is changed." });
  const { user } = await account();
  await user.click(screen.getByRole("button", { name: "Stop my pledge" }));
  const dialog = screen.getByRole("alertdialog", { name: "Stop your pledge?" });
  expect(within(dialog).getByRole("button", { name: "Keep my pledge" })).toHaveFocus();
  await user.click(within(dialog).getByRole("button", { name: "Stop my pledge" }));

  await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  expect(sent("PUT /user/pledge")).toEqual([{ canceled: true }]);
});

test("my data is downloaded as a file", async () => {
  const made: Blob[] = [];
  vi.spyOn(URL, "createObjectURL").mockImplementation((file) => {
    made.push(file as Blob);
    return "blob:x";
  });
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => undefined);
  api.answer("GET /user/export", { profile: { firstname: "Amara" } });
  const { user } = await account();
  await user.click(screen.getByRole("button", { name: "Download" }));

  await waitFor(() => expect(made).toHaveLength(1));
  expect(JSON.parse((await made[0]?.text()) ?? "")).toEqual({ profile: { firstname: "Amara" } });
});

test("signing out everywhere redirects home", async () => {
  api.answer("POST /user/logout-everywhere", {
    success: true,
    message: "You are signed out everywhere.",
  });
  const { user } = await account();
  await user.click(screen.getByRole("button", { name: "Sign out everywhere" }));

  expect(await screen.findByText("You are signed out everywhere.")).toBeVisible();
  await waitFor(() => expect(currentAddress()).toBe("/"));
  expect(localStorage.getItem("token")).toBeNull();
});

async function closeDialog() {
  const { user } = await account();
  await user.click(screen.getByRole("button", { name: "Close account" }));
  const dialog = screen.getByRole("alertdialog", { name: "Close your account?" });
  return { user, dialog };
}

test("closing the account asks first: the focus is on Cancel, and Esc goes back", async () => {
  const { user, dialog } = await closeDialog();
  expect(within(dialog).getByRole("button", { name: "Cancel" })).toHaveFocus();
  expect(dialog).toHaveAccessibleDescription(/Your \$10 monthly contribution stops today\. You will not be charged again/);
  await expectNoBarriers();
  await user.keyboard("{Escape}");

  await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  expect(sent("DELETE /user/delete-account")).toEqual([]);
});

test("closing the account shows a message and signs out", async () => {
  api.answer("DELETE /user/delete-account", { success: true, message: "Your account is closed." });
  const { user, dialog } = await closeDialog();
  await user.click(within(dialog).getByRole("button", { name: "Close account" }));

  expect(await screen.findByText("Your account is closed.")).toBeVisible();
  await waitFor(() => expect(currentAddress()).toBe("/"));
  expect(localStorage.getItem("token")).toBeNull();
});

test("an account that cannot be closed keeps the dialog with the server's words", async () => {
  api.answer("DELETE /user/delete-account", refusal(502, "Nothing was deleted."));
  const { user, dialog } = await closeDialog();
  await user.click(within(dialog).getByRole("button", { name: "Close account" }));

  // In the dialog and, since the dialog holds the notices while it is open, as a notice.
  const alerts = await within(dialog).findAllByRole("alert");
  expect(alerts[0]).toHaveTextContent("Nothing was deleted.");
  expect(localStorage.getItem("token")).toBe("t.o.k");
});

test("an old session needs the password before the account is closed", async () => {
  api.answer("DELETE /user/delete-account", reauth());
  const { user, dialog } = await closeDialog();
  await user.click(within(dialog).getByRole("button", { name: "Close account" }));
  api.answer("DELETE /user/delete-account", { success: true, message: "Your account is closed." });
  await user.type(await within(dialog).findByLabelText("Current password"), "kente river");
  await user.click(within(dialog).getByRole("button", { name: "Close account" }));

  expect(await screen.findByText("Your account is closed.")).toBeVisible();
  expect(sent("DELETE /user/delete-account")).toEqual([{}, { currentPassword: "kente river" }]);
});

test("a change with an expired token redirects to sign-in", async () => {
  api.answer("PUT /user/pledge", refusal(401, "Please sign in again."));
  const { user } = await account();
  await user.click(screen.getByRole("button", { name: "Skip it" }));

  await waitFor(() => expect(currentAddress()).toBe("/login"));
  expect(localStorage.getItem("token")).toBeNull();
});
