import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import axe from "axe-core";
import { MemoryRouter, useLocation } from "react-router-dom";
import { expect } from "vitest";
import { Providers } from "@/app/providers";
import { SiteRouter } from "@/app/router";
import { ResourceCache } from "@/lib/api/resource";

/** Renders the whole site at an address. */
export function renderApp(address: string) {
  const root = document.createElement("div");
  root.id = "root";
  document.body.append(root);
  const view = render(
    <MemoryRouter initialEntries={[address]}>
      <Providers cache={new ResourceCache()}>
        <SiteRouter />
        <Address />
      </Providers>
    </MemoryRouter>,
    { container: root },
  );
  return { user: userEvent.setup({ delay: null }), ...view };
}

/** The current address. */
export function currentAddress(): string {
  return screen.getByTestId("address").textContent;
}

/** Fails on axe violations. Contrast is checked in the e2e tests. */
export async function expectNoBarriers(): Promise<void> {
  const { violations } = await axe.run(document.body, {
    rules: { "color-contrast": { enabled: false }, region: { enabled: false } },
  });
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ""}`)).toEqual([]);
}

function Address() {
  const { pathname, search } = useLocation();
  return (
    <output aria-hidden="true" data-testid="address">
      {pathname + search}
    </output>
  );
}
