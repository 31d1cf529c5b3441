import type { Page } from "playwright-core";
import { admit, as, openSet, type Person } from "../workspace/people.ts";
import { consoleWorld, inChromium, sound, type ConsoleWorld } from "./console.ts";
import { browserOf, button } from "./people.ts";

// How problem sets begin and end in the console, and how people come into them and go.

inChromium("the beginning and the end of problem sets in the console", () => {
  let desk: ConsoleWorld;
  let ann: Page;
  let annika: Person;
  let set: string;

  beforeAll(async () => {
    desk = await consoleWorld();
    [ann, annika] = await browserOf(desk, "Ann");
  });
  afterAll(() => desk.stop());

  it("opens a problem set, and says what to do first", async () => {
    await ann.goto("/workspace");
    await ann.getByText("You are in no problem set yet").waitFor();
    await sound(ann);
    await button(ann, "Open a problem set").click();
    const dialog = ann.getByRole("dialog", { name: "Open a problem set" });
    await dialog.getByLabel("Name").fill("Flood on the upper river");
    await dialog.getByLabel("Purpose").fill("Keep the dams standing.");
    await sound(ann);
    await button(ann, "Open").click();
    await ann.getByRole("heading", { name: "Overview" }).waitFor();
    await ann.getByText("Keep the dams standing.").waitFor();
    await ann.getByText("You are alone here").waitFor();
    set = new URL(ann.url()).pathname.split("/")[2]!;
    await sound(ann);
    await ann.getByRole("link", { name: "Its picture" }).click();
    await ann.getByRole("heading", { name: "Picture", level: 1 }).waitFor();
    expect(new URL(ann.url()).searchParams.get("set")).toBe(set);
    // However much waits, what happened lately stands below it.
    for (let at = 1; at <= 10; at++)
      await as(desk.at, annika)("POST", "/api/gates", { problemSetId: set, tab: "orders", name: `Order ${at}` });
    await ann.goto(`/workspace/${set}`);
    await ann.getByRole("link", { name: "2 more wait" }).waitFor();
    expect(await ann.getByRole("region", { name: "Waits for somebody" }).getByText("open").count()).toBe(8);
  });

  it("opens one from a scenario, once it was said what is in it", async () => {
    await ann.goto("/workspace/scenarios");
    await ann.getByRole("link", { name: "Look inside: Flood on the upper Morava" }).waitFor();
    await sound(ann);
    await ann.getByRole("link", { name: "Look inside: Flood on the upper Morava" }).click();
    await ann.getByRole("region", { name: "Missions" }).getByText("Evacuate zone A").waitFor();
    await sound(ann);
    await button(ann, "Open the problem set").click();
    await ann.getByRole("heading", { name: "Overview" }).waitFor({ timeout: 30_000 });
    await ann.getByRole("region", { name: "Waits for somebody" }).getByText("Press statement checked").waitFor();
    await ann.getByRole("region", { name: "Direction" }).getByText("People before property").waitFor();
    await ann.getByRole("link", { name: "Settings" }).click();
    await ann.getByRole("heading", { name: "What each role may do" }).waitFor();
    await sound(ann);
  });

  it("invites somebody known from another set, who finds it and comes in once they are let in; and they go at once", async () => {
    const [bob, robert] = await browserOf(desk, "Bob");
    await admit(desk.at, await openSet(desk.at, annika, { name: "Water works" }), robert, "planner");
    await ann.goto(`/workspace/${set}/members`);
    await button(ann, "Invite somebody").click();
    const dialog = ann.getByRole("dialog");
    await dialog
      .getByLabel("How", { exact: true })
      .selectOption({ label: "somebody from another problem set of mine" });
    await dialog.getByLabel("From").selectOption({ label: "Water works" });
    await dialog.getByLabel("Person").selectOption({ label: "Bob" });
    await dialog.getByLabel("Somebody lets them in").check();
    await sound(ann);
    await button(dialog, "Invite").click();
    await dialog.getByText("Bob finds the invitation").waitFor();
    await button(ann, "Done").click();
    await bob.goto("/workspace");
    await bob.getByRole("region", { name: "You are invited" }).getByText("Flood on the upper river").waitFor();
    await sound(bob);
    await button(bob, "Accept the invitation to Flood on the upper river").click();
    await bob.getByText("waits for somebody who manages its members").first().waitFor();
    // Still there when the notice is gone.
    await bob.reload();
    const asked = bob.getByRole("region", { name: "You asked to join" });
    await asked.getByText("It waits for somebody who manages its members.").waitFor();
    await asked.getByText("Flood on the upper river").waitFor();
    await sound(bob);
    await button(ann, "Let in: Bob").waitFor();
    await sound(ann);
    await button(ann, "Let in: Bob").click();
    await ann.getByText("Bob is a member now.").waitFor();
    await bob.goto(`/workspace/${set}`);
    await bob.getByRole("region", { name: "People" }).getByText("Ann").waitFor();
    await button(ann, "Suspend Bob").click();
    await sound(ann);
    await button(ann.getByRole("dialog"), "Suspend").click();
    await bob.getByText("Nothing is here for you").waitFor();
    await sound(bob);
    await button(ann, "Lift suspension: Bob").click();
    await button(ann, "Remove Bob").click();
    await button(ann.getByRole("dialog"), "Remove").click();
    await ann.getByRole("heading", { name: "1 member" }).waitFor();
    await bob.context().close();
  });

  it("gives its staff positions, rules for what waits too long, and tells of what one follows", async () => {
    await ann.goto(`/workspace/${set}/members`);
    await button(ann, "Add a position").click();
    const dialog = ann.getByRole("dialog");
    await dialog.getByLabel("Title").fill("Operations officer");
    await dialog.getByLabel("Held by").selectOption({ label: "Ann" });
    await button(dialog, "Add").click();
    await ann.getByRole("table", { name: "Staff positions" }).getByText("Operations officer").waitFor();
    await ann.goto(`/workspace/${set}/escalations`);
    await button(ann, "Add a rule").click();
    await dialog.getByLabel("Name").fill("Decided within an hour");
    await sound(ann);
    await button(dialog, "Add").click();
    await ann.getByText("a gate stays submitted").waitFor();
    await ann.goto(`/workspace/${set}/activity/following`);
    await button(ann, "Follow something").click();
    await dialog.getByLabel("What").selectOption({ label: "escalations" });
    await sound(ann);
    await button(dialog, "Follow").click();
    await ann.getByRole("table", { name: "What you follow" }).getByText("escalations").waitFor();
    await ann.goto(`/workspace/${set}/escalations`);
    await button(ann, "Escalate something now").click();
    await dialog.getByLabel("What is the matter").fill("The gauge at Dolany is silent.");
    await button(dialog, "Escalate").click();
    await ann.getByText("1 person was told.").waitFor();
    await sound(ann);
    await ann.goto(`/workspace/${set}/activity/following`);
    await ann.getByText("The gauge at Dolany is silent.").first().waitFor();
    await sound(ann);
  });

  it("is left by whoever wants to, whose last commander cannot; handed over, its former commander can leave too", async () => {
    const other = await openSet(desk.at, annika, { name: "Sandbags" });
    const [cleo, cleopatra] = await browserOf(desk, "Cleo");
    await admit(desk.at, other, cleopatra, "planner");
    await ann.goto(`/workspace/${other}/members`);
    await button(ann, "Leave this problem set").click();
    await button(ann.getByRole("dialog"), "Leave").click();
    await ann.getByRole("status").getByText("commander").waitFor();
    await button(ann, "Change role: Cleo").click();
    await ann.getByRole("dialog").getByLabel("Role").selectOption("commander");
    await button(ann, "Give this role").click();
    await ann.getByText("Cleo is commander now.").waitFor();
    await button(ann, "Leave this problem set").click();
    await sound(ann);
    await button(ann.getByRole("dialog"), "Leave").click();
    await ann.getByText("You have left Sandbags.").waitFor();
    await ann.getByRole("table", { name: "Problem sets" }).waitFor();
    await ann.getByRole("link", { name: "Sandbags" }).waitFor({ state: "detached" });
    await cleo.goto(`/workspace/${other}/members`);
    await cleo.getByRole("heading", { name: "1 member" }).waitFor();
    await cleo.context().close();
  });

  it("is renamed, stands below another, and ends in the archive, where it is read and not changed", async () => {
    await ann.goto(`/workspace/${set}/settings`);
    await ann.getByRole("textbox", { name: "Name" }).fill("Flood, upper river");
    await ann.getByLabel("Below", { exact: true }).selectOption({ label: "Water works" });
    await button(ann, "Keep").click();
    await ann.getByRole("link", { name: "Water works" }).waitFor();
    await ann.getByRole("link", { name: "Direction", exact: true }).click();
    await button(ann, "Lay something down").click();
    const dialog = ann.getByRole("dialog");
    await dialog.getByLabel("In a few words").fill("Nobody drowns");
    await dialog.getByLabel("In full").fill("People before property.");
    await sound(ann);
    await button(dialog, "Lay down").click();
    await ann.getByText("Nobody drowns").waitFor();
    await ann.goto(`/workspace/${set}/settings`);
    await button(ann, "Archive this problem set").click();
    await button(ann.getByRole("dialog"), "Archive").click();
    await ann.getByRole("link", { name: "Flood, upper river" }).click();
    await ann.getByText("archived: read only").waitFor();
    await ann.getByRole("region", { name: "Direction" }).getByText("Nobody drowns").waitFor();
    expect(await button(ann, "Invite somebody").count()).toBe(0);
    await sound(ann);
    // Nobody leaves it either.
    await ann.getByRole("link", { name: "Members", exact: true }).click();
    await ann.getByRole("heading", { name: "1 member" }).waitFor();
    await button(ann, "Leave this problem set").waitFor({ state: "detached" });
  });

  it("comes out of the archive by an administrator who is not a member, and sees nothing of it by that", async () => {
    const chief = await desk.person();
    await chief.goto(`/workspace/${set}`);
    await chief.getByText("Nothing is here for you").waitFor();
    await sound(chief);
    await button(chief, "Take it out of the archive").click();
    await chief.getByText("It is active again").waitFor();
    await chief.getByText("Nothing is here for you").waitFor();
    await ann.getByText("archived: read only").waitFor({ state: "detached" });
    await button(ann, "Leave this problem set").waitFor();
    await chief.context().close();
  });
});
