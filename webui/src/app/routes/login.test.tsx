import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { publicAnswers } from "@/testing/builders";
import { fakeApi, refusal, withStatus, type FakeApi } from "@/testing/fake-api";
import { currentAddress, expectNoBarriers, renderApp } from "@/testing/render-app";

let api: FakeApi;

beforeEach(() => {
  api = fakeApi(publicAnswers());
});

const calls = (path: string) => api.calls.filter((call) => call.path === path);

async function openLogin() {
  const { user } = renderApp("/login");
  await screen.findByRole("heading", { name: "Sign in" });
  const type = async (email: string, password: string) => {
    if (email !== "") await user.type(screen.getByLabelText("Email"), email);
    if (password !== "") await user.type(screen.getByLabelText("Password"), password);
    await user.click(screen.getByRole("button", { name: "Sign in" }));
  };
  return { user, type };
}

test("signing in stores the token, shows a notice and redirects home", async () => {
  api.answer("POST /user/login", { success: true, token: "t.o.k", message: "Login successful" });
  const { type } = await openLogin();
  await type("amara@example.org", "kente");

  expect(await screen.findByText("Login successful")).toBeVisible();
  await waitFor(() => expect(currentAddress()).toBe("/"));
  expect(localStorage.getItem("token")).toBe("t.o.k");
  expect(calls("/user/login")[0]?.body).toEqual({ email: "amara@example.org", password: "kente" });
});

test("an empty field is focused, nothing is sent and no message shows", async () => {
  const { type } = await openLogin();
  await type("   ", "");
  expect(screen.getByLabelText("Email")).toHaveFocus();

  await type("amara@example.org", "   ");
  expect(screen.getByLabelText("Password")).toHaveFocus();
  expect(calls("/user/login")).toEqual([]);
  expect(screen.queryByRole("alert")).toBeNull();
});

test("a refusal is a notice with the server's message, and the email stays", async () => {
  api.answer("POST /user/login", refusal(401, "The email or the password is wrong."));
  const { type } = await openLogin();
  await type("amara@example.org", "wrong");

  expect(await screen.findByText("The email or the password is wrong.")).toBeVisible();
  expect(screen.getByLabelText("Email")).toHaveValue("amara@example.org");
  expect(localStorage.getItem("token")).toBeNull();
});

test("Google sign-in only warns", async () => {
  const { user } = await openLogin();
  await user.click(screen.getByRole("button", { name: "Sign in with Google" }));

  expect(await screen.findByText("This feature is not available yet")).toBeVisible();
});

test("with a token the page redirects home", async () => {
  localStorage.setItem("token", "t.o.k");
  renderApp("/login");

  await waitFor(() => expect(currentAddress()).toBe("/"));
});

test("one tap on a passkey signs in; closing the window says nothing", async () => {
  vi.stubGlobal("PublicKeyCredential", Object);
  const part = new Uint8Array([1]).buffer;
  const response = { clientDataJSON: part, authenticatorData: part, signature: part };
  const get = vi
    .fn()
    .mockRejectedValueOnce(new DOMException("closed", "NotAllowedError"))
    .mockResolvedValue({ id: "key", response });
  Object.defineProperty(navigator, "credentials", { configurable: true, value: { get } });
  api.answer("POST /user/login/passkey/options", { challenge: "AA", rpId: "jara.example" });
  api.answer("POST /user/login/passkey", { success: true, token: "p.a.s", device: "d" });
  const { user } = renderApp("/login");
  await user.click(await screen.findByRole("button", { name: "Sign in with a passkey" }));
  await user.click(await screen.findByRole("button", { name: "Sign in with a passkey" }));

  await waitFor(() => expect(localStorage.getItem("token")).toBe("p.a.s"));
  expect(localStorage.getItem("device")).toBe("d");
  expect(calls("/user/login/passkey")[0]?.body).toEqual({
    id: "key",
    clientData: "AQ",
    authenticatorData: "AQ",
    signature: "AQ",
  });
});

test("password reset gives the same answer for every address", async () => {
  api.answer("POST /user/forgot-password", withStatus(202, { success: true, message: "ok" }));
  const { user } = await openLogin();
  await user.click(screen.getByRole("link", { name: "Having trouble signing in?" }));
  await user.type(await screen.findByLabelText("Email"), "amara@example.org");
  await user.click(screen.getByRole("button", { name: "Send me a link" }));

  expect(await screen.findByText("Check your email.")).toBeVisible();
  expect(calls("/user/forgot-password")[0]?.body).toEqual({ email: "amara@example.org" });
  expect(currentAddress()).toBe("/reset-password");
});

async function openReset() {
  const { user } = renderApp("/reset-password?code=abc");
  await screen.findByRole("heading", { name: "Choose a new password" });
  const type = async (first: string, second: string) => {
    await user.type(screen.getByLabelText("New password"), first);
    await user.type(screen.getByLabelText("New password again"), second);
    await user.click(screen.getByRole("button", { name: "Set the new password" }));
  };
  return { user, type };
}

test("a code sets a new password", async () => {
  api.answer("POST /user/reset-password", { success: true, message: "done", device: "known" });
  const { type } = await openReset();
  await type("kente river", "kente river");

  expect(await screen.findByText("Your password has been changed.")).toBeVisible();
  expect(localStorage.getItem("device")).toBe("known");
  expect(calls("/user/reset-password")[0]?.body).toEqual({
    code: "abc",
    newPassword: "kente river",
    confirmNewPassword: "kente river",
  });
});

test("an invited member chooses a first password, and reads nothing of an earlier one", async () => {
  api.answer("POST /user/reset-password", { success: true, message: "done", device: "known" });
  const { user } = renderApp("/reset-password?first=1&code=abc");
  await screen.findByRole("heading", { name: "Choose a password" });
  expect(screen.queryByText(/signed out/)).toBeNull();
  await user.type(screen.getByLabelText("New password"), "kente river");
  await user.type(screen.getByLabelText("New password again"), "kente river");
  await user.click(screen.getByRole("button", { name: "Set the new password" }));

  expect(await screen.findByText("Your email address is confirmed too.")).toBeVisible();
  expect(screen.queryByText(/signed out/)).toBeNull();
  expect(calls("/user/reset-password")[0]?.body).toMatchObject({ code: "abc" });
});

test("different passwords are not sent", async () => {
  const { type } = await openReset();
  await type("kente river", "kente rover");

  expect(screen.getByText("The two passwords don't match.")).toBeVisible();
  expect(calls("/user/reset-password")).toEqual([]);
});

test("an expired code shows an error and a link to request another", async () => {
  api.answer("POST /user/reset-password", refusal(422, "This link is too old."));
  const { type } = await openReset();
  await type("kente river", "kente river");

  expect(await screen.findByRole("alert")).toHaveTextContent("This link is too old.");
  expect(screen.getByRole("link", { name: "Get another link" })).toBeVisible();
});

test.each(["/login", "/reset-password", "/reset-password?code=abc"])(
  "%s keeps nobody out",
  async (address) => {
    renderApp(address);
    await screen.findByRole("heading", { level: 1 });
    await expectNoBarriers();
  },
);
