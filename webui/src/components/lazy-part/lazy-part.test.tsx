import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { lazyPart } from "./lazy-part";

function Greeting({ name }: { readonly name: string }) {
  return <p>Hello {name}</p>;
}

test("a chunk that fails once is fetched again when the reader asks", async () => {
  const load = vi.fn<() => Promise<typeof Greeting>>();
  load.mockRejectedValueOnce(new Error("gone")).mockResolvedValue(Greeting);
  const Part = lazyPart(load, <p>Waiting</p>);
  render(<Part name="Ama" />);

  expect(screen.getByText("Waiting")).toBeVisible();
  expect(await screen.findByRole("alert")).toHaveTextContent("This part did not load.");
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("Hello Ama")).toBeVisible();
});

test("it is fetched again by itself when the network returns, and once for all", async () => {
  const load = vi.fn<() => Promise<typeof Greeting>>();
  load.mockRejectedValueOnce(new Error("offline")).mockResolvedValue(Greeting);
  const Part = lazyPart(load);
  render(<Part name="Ama" />);

  await screen.findByRole("alert");
  window.dispatchEvent(new Event("online"));
  expect(await screen.findByText("Hello Ama")).toBeVisible();
  render(<Part name="Kofi" />);
  expect(screen.getByText("Hello Kofi")).toBeVisible();
  expect(load).toHaveBeenCalledTimes(2);
});

test("a part that is left before its chunk comes or fails changes nothing", async () => {
  for (const answer of [Promise.resolve(Greeting), Promise.reject(new Error("gone"))]) {
    const Part = lazyPart(() => answer);
    const { unmount } = render(<Part name="Ama" />);
    unmount();
    await answer.catch(() => null);
  }
  expect(screen.queryByRole("alert")).toBeNull();
});
