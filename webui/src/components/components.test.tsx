import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test, vi } from "vitest";
import { AreaChart } from "@/components/area-chart/area-chart";
import { Count } from "@/components/badge/badge";
import { Button } from "@/components/button/button";
import { Checkbox } from "@/components/field/checkbox";
import { Field } from "@/components/field/field";
import { splitParts, splitSentence } from "@/components/fund-split/fund-split";
import { Modal } from "@/components/modal/modal";
import { MoneyInput } from "@/components/money-input/money-input";
import { RadioCards } from "@/components/radio-cards/radio-cards";
import { SplitDonut } from "@/components/split-bar/split-bar";
import { Stepper } from "@/components/stepper/stepper";
import { Tabs } from "@/components/tabs/tabs";
import { Toggle } from "@/components/toggle/toggle";
import { expectNoBarriers } from "@/testing/render-app";

test("a busy button shows that and ignores a second click", async () => {
  const press = vi.fn();
  const { rerender } = render(<Button onClick={press}>Join Jara</Button>);
  await userEvent.click(screen.getByRole("button"));
  rerender(
    <Button busy="Processing..." onClick={press}>
      Join Jara
    </Button>,
  );
  await userEvent.click(screen.getByRole("button", { name: "Processing..." }));

  expect(press).toHaveBeenCalledTimes(1);
  expect(screen.getByRole("button")).toHaveAttribute("aria-busy", "true");
});

test("a field's error and help are announced with it", async () => {
  render(<Field error="Enter a full email address." help="We never share it." label="Email" />);

  expect(screen.getByRole("textbox", { name: "Email" })).toBeInvalid();
  expect(screen.getByRole("textbox")).toHaveAccessibleDescription(
    "We never share it. Enter a full email address.",
  );
  await expectNoBarriers();
});

test("quick picks set the amount and show which one it is", async () => {
  function Amount() {
    const [value, setValue] = useState("10");
    return (
      <MoneyInput
        label="Amount in US dollars"
        onChange={setValue}
        per={"USD\na month"}
        picks={[5, 10, 20]}
        picksLabel="Quick amounts"
        value={value}
      />
    );
  }
  render(<Amount />);
  await userEvent.click(screen.getByRole("button", { name: "$20" }));

  expect(screen.getByRole("textbox", { name: "Amount in US dollars" })).toHaveValue("20");
  expect(screen.getByRole("button", { name: "$20" })).toHaveAttribute("aria-pressed", "true");
  expect(screen.getByRole("button", { name: "$10" })).toHaveAttribute("aria-pressed", "false");
  await expectNoBarriers();
});

test("tabs move with the arrow keys, Home and End", async () => {
  function Member() {
    const [tab, setTab] = useState<"dashboard" | "account" | "events">("dashboard");
    return (
      <>
        <Tabs
          current={tab}
          label="Member area"
          onSelect={setTab}
          panelId="panel"
          tabs={[
            { id: "dashboard", label: "Dashboard" },
            { id: "account", label: "Account" },
            {
              id: "events",
              label: (
                <>
                  Events <Count value={0} />
                </>
              ),
            },
          ]}
        />
        <div id="panel" role="tabpanel" aria-label={tab} />
      </>
    );
  }
  render(<Member />);
  screen.getByRole("tab", { name: "Dashboard" }).focus();
  await userEvent.keyboard("{ArrowLeft}");

  expect(screen.getByRole("tab", { name: "Events 0" })).toHaveFocus();
  expect(screen.getByRole("tab", { selected: true })).toHaveAccessibleName("Events 0");

  await userEvent.keyboard("{Home}");

  expect(screen.getByRole("tab", { name: "Dashboard" })).toHaveFocus();
  await expectNoBarriers();
});

test("arrow keys move from the focused tab while a panel is loading", async () => {
  const chosen: string[] = [];
  render(
    <>
      <Tabs
        current="dashboard"
        label="Member area"
        onSelect={(id) => chosen.push(id)}
        panelId="panel"
        tabs={[
          { id: "dashboard", label: "Dashboard" },
          { id: "account", label: "Account" },
          { id: "events", label: "Events" },
        ]}
      />
      <div id="panel" role="tabpanel" aria-label="dashboard" />
    </>,
  );
  screen.getByRole("tab", { name: "Dashboard" }).focus();
  await userEvent.keyboard("{ArrowRight}{ArrowRight}");

  expect(chosen).toEqual(["account", "events"]);
});

test("a dialog takes the focus and closes on Escape, but not while busy", async () => {
  const close = vi.fn();
  const { rerender } = render(
    <Modal closeLabel="Close dialog" onClose={close} title="Cast your vote">
      <button type="button">Yes</button>
      <button type="button">No</button>
    </Modal>,
  );

  expect(screen.getByRole("button", { name: "Yes" })).toHaveFocus();
  await userEvent.keyboard("{Escape}");
  expect(close).toHaveBeenCalledTimes(1);

  rerender(
    <Modal busy closeLabel="Close dialog" onClose={close} title="Cast your vote">
      <button type="button">Yes</button>
    </Modal>,
  );
  await userEvent.keyboard("{Escape}");

  expect(close).toHaveBeenCalledTimes(1);
  await expectNoBarriers();
});

test("charts say their figures in words", async () => {
  const policy = { projects: 80, staff: 7, marketing: 9, other: 4 };
  render(
    <>
      <SplitDonut caption="to projects" label={splitSentence(policy)} parts={splitParts(policy)} />
      <AreaChart
        amountWord="Contributions"
        label="From $310 to $742"
        monthWord="Month"
        points={[
          { month: "2026-09", cents: 31_000 },
          { month: "2026-10", cents: 74_200 },
        ]}
      />
    </>,
  );

  expect(screen.getByRole("img", { name: /80 to projects, 7 to staff/ })).toBeVisible();
  expect(screen.getByRole("rowheader", { name: "October 2026" })).toBeInTheDocument();
  expect(screen.getByRole("cell", { name: "$742" })).toBeInTheDocument();
  await expectNoBarriers();
});

test("choices and steps expose the selected item and the current step", async () => {
  const choose = vi.fn();
  render(
    <>
      <RadioCards
        cards={[
          { value: "current", label: "Today", note: "20 Nov" },
          { value: "1", label: "1st", note: "of each month" },
        ]}
        legend="Preferred payment day"
        onChange={choose}
        value="current"
      />
      <Toggle label="Updates" on={false} onChange={choose} words={{ on: "ON", off: "OFF" }} />
      <Stepper
        current={1}
        label="Progress"
        steps={["Introduce yourself", "Monthly contribution"]}
      />
      <Checkbox>Notify me</Checkbox>
    </>,
  );
  await userEvent.click(screen.getByRole("radio", { name: /1st/ }));
  await userEvent.click(screen.getByRole("switch", { name: "Updates" }));

  expect(choose).toHaveBeenNthCalledWith(1, "1");
  expect(choose).toHaveBeenNthCalledWith(2, true);
  expect(screen.getByText("2. Monthly contribution").closest("li")).toHaveAttribute(
    "aria-current",
    "step",
  );
  await expectNoBarriers();
});
