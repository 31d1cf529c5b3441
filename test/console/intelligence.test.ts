import type { Page } from "playwright-core";
import { put } from "../knowledge/documents.requests.ts";
import { lookNow } from "../knowledge/strategic-agents.requests.ts";
import { articlesOf, item, source } from "../news/articles/articles-setup.ts";
import { admit, openSet, type Person } from "../workspace/people.ts";
import { consoleWorld, inChromium, sound, type ConsoleWorld } from "./console.ts";
import { browserOf, button } from "./people.ts";

// Reports held against each other, monitors of the news and intelligence cycles, as Ann uses them and Bob reviews.

const HOLDS = "The Orvane dam near Castra holds after the flood. Engineers of Meridian inspected it on Monday.";
const BURST = "The Orvane dam near Castra does not hold after the flood. Two villages were warned on Monday.";
const INTELLIGENCE = "/knowledge/intelligence";

inChromium("intelligence in the console", () => {
  let desk: ConsoleWorld;
  let ann: Page, bob: Page;
  let annika: Person, robert: Person;
  let set: string;
  let made = 0;
  const publish = (title: string, text: string) =>
    articlesOf(desk.at).store(source(++made), [item(9_000 + made, { title, text })]);

  beforeAll(async () => {
    desk = await consoleWorld();
    [[ann, annika], [bob, robert]] = await Promise.all([browserOf(desk, "Ann"), browserOf(desk, "Bob")]);
    set = await openSet(desk.at, annika, { name: "Orvane" });
    await admit(desk.at, set, robert, "deputy");
    await publish("Quillon bridge closed", "The Quillon bridge at Arden closed on Tuesday after cracks were found.");
  });
  afterAll(() => desk.stop());

  it("tells whether two reports contradict each other, and another person reviews it", async () => {
    await ann.goto("/knowledge");
    await ann.getByRole("link", { name: "Intelligence" }).click();
    await ann.getByText("No reports were compared here yet.").waitFor();
    await sound(ann);
    await put(desk.at, annika, HOLDS, "engineers.txt", { problemSetId: set, title: "Engineers" });
    const warden = await put(desk.at, annika, BURST, "warden.txt", { problemSetId: set, title: "Warden" });
    await ann.goto(`/workspace/${set}/documents/${warden.id}`);
    await ann.getByRole("link", { name: "Compare with other reports" }).click();
    await ann.getByText("1 document chosen.").waitFor();
    await ann.getByLabel("Engineers").check();
    await ann.getByText("2 documents chosen.").waitFor();
    await ann.getByLabel("Words").fill("-only");
    await button(ann, "Search the news").click();
    await ann
      .getByRole("form", { name: "Search the news for stories" })
      .locator(".fault, [role=alert]")
      .first()
      .waitFor();
    await ann.getByLabel("Words").fill("Quillon");
    await button(ann, "Search the news").click();
    await ann.getByLabel("Quillon bridge closed").waitFor();
    await sound(ann);
    await ann.getByLabel("Statement").fill("Or");
    await button(ann, "Compare").click();
    await ann.locator("small.fault").waitFor();
    await ann.getByLabel("Statement").fill("The Orvane dam near Castra holds after the flood.");
    await button(ann, "Compare").click();
    const contradictions = ann.getByRole("region", { name: "Do they contradict each other?" });
    await contradictions.getByText("Yes.").waitFor();
    await contradictions.getByText("“The Orvane dam near Castra does not hold after the flood.”").waitFor();
    await ann.getByText("a roughly even chance").waitFor();
    await sound(ann);
    await button(ann, "Put up for review").click();
    await ann.getByText("Another one reviews it").waitFor();
    await bob.goto(new URL(ann.url()).pathname);
    await button(bob, "Reject").click();
    const dialog = bob.getByRole("dialog", { name: "Reject it" });
    await dialog.getByLabel("Why").fill("Ask the warden first.");
    await sound(bob);
    await button(dialog, "Reject").click();
    await ann.getByText("Bob decided: Ask the warden first.").waitFor();
    await button(ann, "Put up for review").click();
    await button(bob, "Approve").click();
    await ann.getByText("approved", { exact: true }).waitFor();
    await sound(ann);
    await ann.goto(`${INTELLIGENCE}?set=${set}&status=approved`);
    await ann.getByRole("row", { name: /The Orvane dam.*1 contradiction 2 approved/ }).waitFor();
    await sound(ann);
  });

  it("watches the news, and tells everybody of the set who knows of an alert", async () => {
    await ann.goto(`${INTELLIGENCE}/monitors?set=${set}`);
    await ann.getByText("Nothing is watched for yet.").waitFor();
    await sound(ann);
    await button(ann, "Start a monitor").click();
    const dialog = ann.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Bridges");
    await dialog.getByLabel("What it looks for").fill("-only");
    await dialog.getByLabel("It tells of").selectOption("rule");
    await sound(ann);
    await button(dialog, "Start").click();
    await dialog.getByText("Name at least one condition.", { exact: false }).waitFor();
    await dialog.getByLabel("It tells of").selectOption("keyword");
    await button(dialog, "Start").click();
    await dialog.getByText("Nothing fits this query.").waitFor();
    await dialog.getByLabel("What it looks for").fill("bridge (crack | collapse)");
    await button(dialog, "Start").click();
    await ann.getByRole("row", { name: /^Bridges each story/ }).waitFor();
    await publish(
      "Crack found in Selm bridge",
      "A crack was found in the Selm bridge on Friday, the road office said.",
    );
    await lookNow(desk.at);
    await button(ann, "Acknowledge: Crack found in Selm bridge").waitFor();
    await sound(ann);
    await bob.goto(`/workspace/${set}`);
    await bob.getByRole("link", { name: "1 alert of a monitor is open" }).click();
    await button(bob, "Acknowledge: Crack found in Selm bridge").click();
    const known = bob.getByRole("dialog", { name: "Acknowledge the alert" });
    await known.getByLabel("What is done about it").fill("The road office was called.");
    await sound(bob);
    await button(known, "Acknowledge").click();
    await ann.getByText("No alert is open").waitFor();
    await ann.getByRole("link", { name: "Acknowledged" }).click();
    await ann.getByText("Bob acknowledged it").waitFor();
    await ann.getByText("The road office was called.").waitFor();
    await sound(ann);
    await button(ann, "End Bridges").click();
    await button(ann.getByRole("dialog"), "End").click();
    await ann.getByRole("row", { name: /^Bridges.*ended/ }).waitFor();
  });

  it("answers a question step by step, and waits for a person where it is told to", async () => {
    await ann.goto(`${INTELLIGENCE}/cycles?set=${set}`);
    await ann.getByText("No question was asked here yet.").waitFor();
    await sound(ann);
    await ann.getByRole("link", { name: "Ask a question" }).click();
    await ann.getByRole("textbox", { name: "Question" }).fill("Does the Orvane dam hold?");
    await ann.getByLabel("Searches in the news").fill("Quillon\n-only");
    await ann.getByLabel("Analysis").uncheck();
    await sound(ann);
    await button(ann, "Begin").click();
    await ann.getByText("number 2: Nothing fits this query.").waitFor();
    await ann.getByLabel("Searches in the news").fill("Quillon\nSelm");
    await ann.getByLabel("Warden").check();
    await ann.getByLabel("Engineers").check();
    await button(ann, "Begin").click();
    await ann.getByText("2 stories to be weighed, 0 left out.").first().waitFor();
    await sound(ann);
    await bob.goto(`${INTELLIGENCE}/cycles?set=${set}`);
    await bob.getByRole("region", { name: "Wait for a person" }).getByRole("link").click();
    await bob.getByText("Change what it goes on with").click();
    await bob.getByRole("group", { name: "Leave out" }).getByLabel("Crack found in Selm bridge").check();
    await sound(bob);
    await button(bob, "Do processing again").click();
    await ann.getByText("1 story to be weighed, 0 left out.").first().waitFor();
    await button(ann, "Go on: analysis").click();
    await ann.getByText("is complete").waitFor();
    await ann.getByRole("link", { name: "Reports compared, number 1" }).first().click();
    await ann.getByText("waits for review").waitFor();
    await ann.getByRole("link", { name: "The cycle that it comes from" }).click();
    await ann.getByText("is complete").waitFor();
    await sound(ann);
  });
});
