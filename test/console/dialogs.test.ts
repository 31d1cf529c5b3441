import type { Page } from "playwright-core";
import { admit, openSet } from "../workspace/people.ts";
import { becomes, consoleWorld, inChromium, sound, type ConsoleWorld } from "./console.ts";
import { browserOf, button } from "./people.ts";

// What somebody writes in a dialog, by the keyboard and beside others: nothing of it is lost without a word.

/** What pages have and this side has not. */
declare const document: { activeElement: { textContent: string; labels?: { textContent: string }[] } };

inChromium("what is written in a dialog", () => {
  let desk: ConsoleWorld;
  let [ann, dora]: Page[] = [];
  let set: string;

  beforeAll(async () => {
    desk = await consoleWorld();
    const [annHere, who] = await browserOf(desk, "Ann");
    const [doraHere, deputy] = await browserOf(desk, "Dora");
    set = await openSet(desk.at, who, { name: "Landslide above the dam" });
    await admit(desk.at, set, deputy, "deputy");
    [ann, dora] = [annHere, doraHere];
  });
  afterAll(() => desk.stop());

  const focused = (page: Page): Promise<string> =>
    page.evaluate(() => document.activeElement.labels?.[0]?.textContent ?? document.activeElement.textContent);

  it("begins at its first field, and gives the focus back to the button that opened it", async () => {
    await ann!.goto(`/workspace/${set}/gates`);
    await button(ann!, "Add a gate").focus();
    await ann!.keyboard.press("Enter");
    await ann!.getByRole("dialog").waitFor();
    expect(await focused(ann!)).toBe("Name");
    await ann!.keyboard.press("Escape");
    await ann!.getByRole("dialog").waitFor({ state: "detached" });
    expect(await focused(ann!)).toBe("Add a gate");
  });

  it("is thrown away only by whoever says so", async () => {
    await button(ann!, "Add a gate").click();
    const dialog = ann!.getByRole("dialog");
    await dialog.getByLabel("What must be true").fill("Both slopes were looked at by a geologist.");
    await ann!.keyboard.press("Escape");
    await dialog.getByText("What you wrote here is not sent yet.").waitFor();
    expect(await focused(ann!)).toBe("Go on writing");
    await sound(ann!);
    await button(dialog, "Go on writing").click();
    expect(await dialog.getByLabel("What must be true").inputValue()).toMatch(/geologist/);
    await button(dialog, "Close").click();
    await button(dialog, "Throw it away").click();
    await dialog.waitFor({ state: "detached" });
  });

  it("does not write over what another wrote meanwhile", async () => {
    await ann!.goto(`/workspace/${set}/direction`);
    await button(ann!, "Lay something down").click();
    await ann!.getByRole("dialog").getByLabel("In a few words").fill("Nobody below the dam at night");
    await ann!.getByLabel("In full").fill("By eight in the evening.");
    await button(ann!, "Lay down").click();
    await dora!.goto(`/workspace/${set}/direction`);
    for (const page of [ann!, dora!]) await button(page, "Change Nobody below the dam at night").click();
    await ann!.getByLabel("In full").fill("By seven in the evening.");
    await button(ann!, "Keep").click();
    await ann!.getByText("By seven in the evening.").waitFor();
    await dora!.getByLabel("In full").fill("By nine in the evening.");
    await button(dora!, "Keep").click();
    await dora!.getByRole("dialog").getByText("Somebody changed it since you opened this.").waitFor();
    await becomes(() => ann!.getByText("By seven in the evening.").count(), 1);
  });

  it("stays in a form of the page while another changes what it is about", async () => {
    await Promise.all([ann!, dora!].map((page) => page.goto(`/workspace/${set}/settings`)));
    // What was not written in follows what others keep.
    await ann!.getByRole("textbox", { name: "Name" }).fill("Landslide above the upper dam");
    await button(ann!, "Keep").click();
    await becomes(() => dora!.getByRole("textbox", { name: "Name" }).inputValue(), "Landslide above the upper dam");
    await dora!
      .getByRole("textbox", { name: "Purpose" })
      .fill("Nobody below the dam at night, and the road open by Thursday.");
    await ann!.getByRole("textbox", { name: "Name" }).fill("Landslide at Sauris");
    await button(ann!, "Keep").click();
    await dora!.getByRole("strong").filter({ hasText: "Landslide at Sauris" }).waitFor();
    expect(await dora!.getByRole("textbox", { name: "Purpose" }).inputValue()).toMatch(/^Nobody below the dam/);
    await button(dora!, "Keep").click();
    await dora!.getByText("Somebody changed it since you opened this.").waitFor();
  });
});
