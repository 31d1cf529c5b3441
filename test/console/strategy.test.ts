import type { Page } from "playwright-core";
import { put } from "../knowledge/documents.requests.ts";
import { eventually } from "../mesh.ts";
import { made } from "../workspace/desk.ts";
import { admit, openCompartment, openSet, type Person } from "../workspace/people.ts";
import { consoleWorld, inChromium, sound, type ConsoleWorld } from "./console.ts";
import { browserOf, button } from "./people.ts";

// Objectives as their staff works on them: Ann commands, Ben plans, Cora is her deputy, Eve is a liaison who reads.

const PLAN =
  "Objectives\n\n1. Reduce attacks on convoys from 12 to 6 a month by 1 June 2099.\n\n" +
  "2. Open the northern road so that the villages are supplied. The battalion must clear the culvert.\n";
const ATTACKS = "Reduce attacks on convoys";
const OBJECTIVES = "/api/strategic/objectives";

inChromium("strategic objectives in the console", () => {
  let desk: ConsoleWorld;
  let ann: Page, ben: Page, cora: Page, eve: Page;
  let annika: Person, benno: Person, coralie: Person, evelyn: Person;
  let set: string;
  let plan: { id: string };

  beforeAll(async () => {
    desk = await consoleWorld();
    [[ann, annika], [ben, benno], [cora, coralie], [eve, evelyn]] = await Promise.all([
      browserOf(desk, "Ann"),
      browserOf(desk, "Ben"),
      browserOf(desk, "Cora"),
      browserOf(desk, "Eve"),
    ]);
    set = await openSet(desk.at, annika, { name: "Northern road" });
    await admit(desk.at, set, benno, "planner");
    await admit(desk.at, set, coralie, "deputy");
    await admit(desk.at, set, evelyn, "liaison");
    await openCompartment(desk.at, set, annika, "Source", benno);
    plan = await put(desk.at, annika, PLAN, "plan.txt", { problemSetId: set, title: "Plan of the north" });
  });
  afterAll(() => desk.stop());

  const make = (path: string, body?: unknown, who = benno, method = "POST") => made(desk.at, method, path, body, who);
  const written = (statement: string, fields: object = {}) =>
    make(OBJECTIVES, { problemSetId: set, statement, ...fields });
  /** Through a review by somebody else. */
  async function approved(statement: string, fields: object = {}): Promise<{ id: string }> {
    const objective = await written(statement, fields);
    await make(`${OBJECTIVES}/${objective.id}/submit`, {});
    await make(`${OBJECTIVES}/${objective.id}/review`, { decision: "approve" }, annika);
    return objective;
  }
  async function extracted(): Promise<{ id: string; statement: string }[]> {
    const { jobId } = await make(`/api/strategic/documents/${plan.id}/extract`, {});
    await eventually(
      () => make(`/api/jobs/${jobId}`, undefined, benno, "GET"),
      ({ status }) => status === "completed",
    );
    return make(`/api/strategic/documents/${plan.id}/objectives`, undefined, benno, "GET");
  }
  const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true, level: 1 });
  const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

  it("are changed and deleted while they may be, and replaced once they are approved", async () => {
    const { id } = await written("Supply the villages", { owner: "G4", dueAt: "2099-05-01T10:00:00Z" });
    await eve.goto(`/knowledge/strategy/${id}`);
    await ben.goto(`/knowledge/strategy/${id}`);
    await heading(eve, "Supply the villages").waitFor();
    await button(ben, "Change it").click();
    const dialog = ben.getByRole("dialog");
    await dialog.getByLabel("What is to be reached").fill("Supply the four villages by road");
    await dialog.getByLabel("Who answers for it").fill("");
    await dialog.getByLabel("Measured by").fill("tons a day");
    await button(dialog, "Keep").click();
    await dialog.getByText("Is required: a number.").waitFor();
    await sound(ben);
    await dialog.getByLabel("It must get to").fill("40");
    await button(dialog, "Keep").click();
    await heading(ben, "Supply the four villages by road").waitFor();
    // Who only reads sees it come, and is offered nothing.
    await heading(eve, "Supply the four villages by road").waitFor();
    await eve.getByText("nobody yet").waitFor();
    for (const name of ["Change it", "Delete", "Put it up for review"]) expect(await button(eve, name).count()).toBe(0);
    expect((await make(`${OBJECTIVES}/${id}`, undefined, benno, "GET")).dueAt).toBe("2099-05-01T10:00:00.000Z");

    await button(ben, "Change it").click();
    await make(`${OBJECTIVES}/${id}`, { owner: "G3" }, coralie, "PUT");
    await dialog.getByLabel("Who answers for it").fill("S4");
    await button(dialog, "Keep").click();
    await dialog.getByText("Somebody changed it since you opened it.").waitFor();
    await button(dialog, "Close").click();
    await button(dialog, "Throw it away").click();
    await button(ben, "Delete").click();
    await dialog.getByText("go with it, for good.").waitFor();
    await sound(ben);
    await button(dialog, "Delete for good").click();
    await ben.getByText("The objective is deleted.").waitFor();
    await eve.getByText("It may have been removed.").waitFor();

    const before = await approved("Hold the bridge at Lhota");
    await ben.goto(`/knowledge/strategy/${before.id}`);
    await button(ben, "Write its successor").waitFor();
    expect(await button(ben, "Change it").count()).toBe(0);
    await button(ben, "Write its successor").click();
    await dialog.getByLabel("What is to be reached").fill("Hold both bridges at Lhota");
    await sound(ben);
    await button(dialog, "Keep as a draft").click();
    await heading(ben, "Hold both bridges at Lhota").waitFor();
    await ben.getByRole("link", { name: "Hold the bridge at Lhota" }).waitFor();
    await sound(ben);
  });

  it("keep somebody's words when a document is read again, and offer what it says", async () => {
    const { id } = (await extracted()).find(({ statement }) => statement.startsWith(ATTACKS))!;
    await make(`${OBJECTIVES}/${id}`, { statement: "Halve the attacks on convoys", owner: "G3" }, benno, "PUT");
    await ben.goto(`/knowledge/strategy/${id}`);
    await heading(ben, "Halve the attacks on convoys").waitFor();
    await extracted();
    const anew = region(ben, "Read anew, the document says");
    await anew.getByText(ATTACKS).waitFor();
    await sound(ben);
    await eve.goto(`/knowledge/strategy/${id}`);
    await region(eve, "Read anew, the document says").waitFor();
    expect(await button(eve, "Take this over").count()).toBe(0);
    await button(anew, "Take this over").click();
    await ben.getByRole("heading", { name: ATTACKS, level: 1 }).waitFor();
    await anew.waitFor({ state: "detached" });
  });

  it("may be for those of a compartment alone", async () => {
    await ben.goto(`/knowledge/strategy?set=${set}`);
    await button(ben, "Write an objective").click();
    const dialog = ben.getByRole("dialog");
    await dialog.getByLabel("What is to be reached").fill("Keep the source at the dam");
    await dialog.getByLabel("Who sees it").selectOption({ label: "Only those read into Source" });
    await button(dialog, "Keep as a draft").click();
    await ben.getByText("only for: Source").waitFor();
    const { pathname } = new URL(ben.url());
    await cora.goto(pathname);
    await cora.getByText("It may have been removed.").waitFor();
    await cora.goto(`/knowledge/strategy?set=${set}`);
    await cora.getByRole("link", { name: "Hold the bridge at Lhota" }).waitFor();
    expect(await cora.getByText("Keep the source at the dam").count()).toBe(0);
  });

  it("get an intent, drafted from their pages, that the commander approves and nobody writes over", async () => {
    const road = (await extracted()).find(({ statement }) => statement.startsWith("Open the northern road"))!;
    await ben.goto(`/knowledge/strategy/${road.id}`);
    await ben.getByRole("link", { name: "Intent", exact: true }).click();
    await ben.getByText("Nobody has written the intent yet").waitFor();
    await eve.goto(`/knowledge/strategy/${road.id}/intent`);
    await eve.getByText("Planners, deputies and the commander write it.").waitFor();
    expect(await button(eve, "Write it").count()).toBe(0);
    await button(ben, "Have it drafted").click();
    const draft = region(ben, "A draft by the platform");
    await draft.getByText("Drafted by rules alone").waitFor();
    await draft.getByRole("link", { name: "Plan of the north" }).first().waitFor();
    await sound(ben);
    await button(draft, "Take it into the form").click();
    const dialog = ben.getByRole("dialog");
    await dialog.getByText(/cited with it/).waitFor();
    await dialog.getByLabel("Purpose").fill("So that the villages are supplied in winter.");
    await dialog
      .getByLabel("Key tasks")
      .fill("Clear the culvert within 3 days\n\nPatrol the road once the culvert is clear");
    await dialog.getByLabel("End state").fill("Trucks pass by day and night.");
    expect(await dialog.getByLabel("Approve it").count()).toBe(0);
    await sound(ben);
    await button(dialog, "Keep").click();
    const intent = region(ben, "Intent");
    await intent.getByText("Trucks pass by day and night.").waitFor();
    await region(eve, "Intent").getByText("Trucks pass by day and night.").waitFor();

    await ann.goto(`/knowledge/strategy/${road.id}/intent`);
    await button(ben, "Change it").click();
    await button(ann, "Approve it").click();
    await ann.getByText("only the commander changes it from then on").waitFor();
    await sound(ann);
    await button(ann.getByRole("dialog"), "Approve it").click();
    await region(ann, "Intent").getByText("approved by Ann").waitFor();
    await dialog.getByLabel("Purpose").fill("So that nobody freezes.");
    await button(dialog, "Keep").click();
    await dialog.getByRole("alert").waitFor();
    await button(dialog, "Close").click();
    await button(dialog, "Throw it away").click();
    await ben.getByText("It is approved: only the commander changes it now.").waitFor();
    expect(await button(ben, "Change it").count()).toBe(0);
    await button(ann, "Change it").click();
    await ann.getByRole("dialog").getByLabel("End state").fill("Trucks pass unescorted.");
    await button(ann.getByRole("dialog"), "Keep").click();
    await region(ben, "Intent").getByText("Trucks pass unescorted.").waitFor();
    const before = region(ben, "What it said before");
    await before.getByText("Version 2").click();
    await before.getByText("Trucks pass by day and night.").first().waitFor();
    await before.getByText(/by Ben, of .*approved by Ann$/).waitFor();
    await region(ben, "Intent")
      .getByText(/version 3, .*written by Ann; first written by Ben; approved by Ann/)
      .waitFor();
    await sound(ben);
  });

  it("are broken down into tasks, by rules and then by people, who are told what does not fit", async () => {
    const { id } = await written("Open the southern ferry", { owner: "G4" });
    await ben.goto(`/knowledge/strategy/${id}`);
    await ben.getByRole("link", { name: "What is done", exact: true }).click();
    await ben.getByText("Nothing is said yet of how it is to be reached.").waitFor();
    await eve.goto(`/knowledge/strategy/${id}/operations`);
    await eve.getByText("Analysts, planners and deputies say it here.").waitFor();
    await button(ben, "Break it down").click();
    await ben.getByText("Nothing says how long T1 takes: one day is assumed.").waitFor();
    await ben.getByText("1 task, 1 day in all.").waitFor();
    await sound(ben);
    await button(ben, "Change it").click();
    const form = ben.getByRole("form", { name: "The plan" });
    await form.getByLabel("T1: What is done").fill("Mend the ramp");
    await form.getByLabel("T1: Days").fill("3");
    await form.getByLabel("T1: After").fill("T2");
    await button(form, "Add a task").click();
    await form.getByLabel("T2: What is done").fill("Bring the barge");
    await form.getByLabel("T2: Days").fill("2");
    await form.getByLabel("T2: Line of effort").selectOption({ label: "L1 Open the southern ferry" });
    await form.getByLabel("T2: After").fill("T1, T9");
    await button(form, "Keep").click();
    await form.getByText("There is no T9 in this plan.").waitFor();
    await form.getByLabel("T2: After").fill("T1");
    await button(form, "Keep").click();
    await form.getByText(/^Tasks wait for one another:/).waitFor();
    await sound(ben);
    await form.getByLabel("T2: After").fill("");
    await button(form, "Add a measure").click();
    await form.getByLabel("M1: What is counted").fill("cars a day");
    await form.getByLabel("M1: It must get to").fill("120");
    await button(form, "Keep").click();
    await ben.getByText("What decides that is the longest chain: T2 Bring the barge; then T1 Mend the ramp.").waitFor();
    await ben.getByText("2 tasks, 5 days in all.").waitFor();
    await ben.getByText("cars a day: from 0 to 120").waitFor();
    await region(ben, "What it takes").getByText("not found").waitFor();
    await sound(ben);
    await eve.getByText("2 tasks, 5 days in all.").waitFor();
    expect(await button(eve, "Change it").count()).toBe(0);

    await button(ben, "Change it").click();
    await make(`${OBJECTIVES}/${id}/operationalize`, { tasks: [{ key: "T1", name: "Wait", days: 1 }], version: 2 });
    await button(form, "Keep").click();
    await form.getByText("The breakdown changed meanwhile; read it again.").waitFor();
    await button(form, "Leave it").click();
    await button(ben, "Break it down anew").click();
    await ben.getByRole("dialog").getByText("gives way to what rules make").waitFor();
    await sound(ben);
    await button(ben.getByRole("dialog"), "Break it down anew").click();
    await ben.getByText("Nothing says how long T1 takes").waitFor();
  });

  it("have risks, which others accept or return; the high ones stand where a planner looks", async () => {
    const { id } = await written("Keep the pass open in winter");
    await ben.goto(`/knowledge/strategy/${id}`);
    await ben.getByRole("link", { name: "Risks", exact: true }).click();
    await ben.getByText("No risk was assessed yet.").waitFor();
    const dialog = ben.getByRole("dialog");
    async function assess(hazard: string, often: string, bad: string): Promise<void> {
      await button(ben, "Assess a risk").click();
      await dialog.getByLabel("What may go wrong").fill(hazard);
      await dialog.getByLabel("How often", { exact: true }).selectOption(often);
      await dialog.getByLabel("How bad", { exact: true }).selectOption(bad);
    }
    await assess("Avalanches close it", "likely", "critical");
    await dialog.getByLabel("How often, then").selectOption("seldom");
    await dialog.getByLabel("How bad, then").selectOption("moderate");
    await button(dialog, "Keep").click();
    await dialog.getByText("Say what makes the risk less.").waitFor();
    await sound(ben);
    await dialog.getByLabel("Measure 1").fill("Two ploughs stand by");
    await dialog.getByLabel("Who does it (1)").fill("G4");
    await button(dialog, "Keep").click();
    await ben.getByText("Two ploughs stand by (G4)").waitFor();
    await assess("The only fuel depot burns", "likely", "catastrophic");
    await button(dialog, "Keep").click();
    await ben.getByText("extremely high risk", { exact: true }).waitFor();
    await sound(ben);
    expect(await ben.getByRole("button", { name: /^(Accept|Return):/ }).count()).toBe(0);

    await cora.goto(`/workspace/${set}`);
    await cora.getByRole("link", { name: "1 high risk waits for a review" }).click();
    const high = region(cora, "High risks (1)");
    await high.getByText("waits for a review").waitFor();
    await sound(cora);
    await high.getByRole("link", { name: "The only fuel depot burns" }).click();
    await cora.getByText("Only the commander accepts a risk so high.").waitFor();
    await button(cora, "Accept: Avalanches close it").click();
    await sound(cora);
    await button(cora.getByRole("dialog"), "Accept it").click();
    await ben.getByText(/^Accepted by Cora/).waitFor();
    await button(cora, "Return: The only fuel depot burns").click();
    await cora.getByRole("dialog").getByLabel("What is missing").fill("Nobody guards it yet.");
    await button(cora.getByRole("dialog"), "Return it").click();
    await ben.getByText(/^Returned, to be assessed anew, by Cora.*Nobody guards it yet\.$/).waitFor();

    await make(
      `${OBJECTIVES}/${id}/risk`,
      { hazard: "Nobody ploughs", before: { probability: "likely", severity: "critical" } },
      coralie,
    );
    await ann.goto(`/knowledge/strategy/${id}/risks`);
    await button(ann, "Accept: Nobody ploughs").click();
    await ann.getByText("which you take upon yourself as the commander").waitFor();
    await button(ann.getByRole("dialog"), "Accept it").click();
    await cora.getByText(/^Accepted by Ann/).waitFor();
    await make(
      `${OBJECTIVES}/${id}/risk`,
      { hazard: "Stones fall", before: { probability: "seldom", severity: "moderate" } },
      coralie,
    );
    await cora.getByText("Whoever assessed a risk does not accept it.").waitFor();
    // Behind a compartment it counts for nobody outside of it.
    const compartment = (await make(`/api/problem-sets/${set}/compartments`, undefined, benno, "GET"))[0].id;
    const hidden = await written("Keep the second source", { compartments: [compartment] });
    await make(`${OBJECTIVES}/${hidden.id}/risk`, {
      hazard: "It is found",
      before: { probability: "likely", severity: "critical" },
    });
    await cora.goto(`/workspace/${set}/activity`);
    await cora.getByRole("link", { name: /^A risk was assessed as extremely high: The only fuel depot burns/ }).click();
    await region(cora, "Risks").getByText("Avalanches close it").waitFor();
    await ben.goto(`/knowledge/strategy?set=${set}`);
    await ben.getByRole("link", { name: "It is found" }).waitFor();
    await cora.goto(`/knowledge/strategy?set=${set}`);
    await cora.getByRole("link", { name: "The only fuel depot burns" }).waitFor();
    expect(await cora.getByText("It is found").count()).toBe(0);
  });

  it("stand on the page of the document that they come from, where it is read for them", async () => {
    const other = await put(desk.at, annika, PLAN.replace("northern road", "ring road"), "ring.txt", {
      problemSetId: set,
      title: "Plan of the ring",
    });
    await ben.goto(`/workspace/${set}/documents/${other.id}`);
    const objectives = region(ben, "Objectives");
    await objectives.getByText("No objective comes of it yet.").waitFor();
    await eve.goto(`/workspace/${set}/documents/${other.id}`);
    await region(eve, "Objectives").getByText("No objective comes of it yet.").waitFor();
    expect(await button(eve, "Find objectives").count()).toBe(0);
    await button(objectives, "Find objectives").click();
    await objectives.getByText("It was read; what was found stands below.").waitFor();
    await region(eve, "Objectives")
      .getByRole("link", { name: /^Open the ring road/ })
      .waitFor();
    await sound(ben);
    // They stand as the document has them.
    const [found, text] = [
      await objectives.getByRole("list").getByRole("link").allInnerTexts(),
      await region(ben, "Text").innerText(),
    ];
    const places = found.map((statement) => text.indexOf(statement.slice(0, 15)));
    expect([places.length > 1, places]).toEqual([true, places.toSorted((a, b) => a - b)]);
    await objectives.getByRole("link", { name: /^Open the ring road/ }).click();
    await ben.getByRole("link", { name: "Northern road", exact: true }).waitFor();
    await ben.getByRole("link", { name: "Plan of the ring" }).click();
    await region(ben, "Objectives").waitFor();
    await ben.goto(`/workspace/${set}/activity`);
    await ben
      .getByRole("link", { name: /Open the ring road/ })
      .first()
      .click();
    await ben.getByRole("heading", { name: /^Open the ring road/, level: 1 }).waitFor();
  });

  it("hold as far as what is known says, and why that changed is said", async () => {
    const { id } = await written("Keep the harbour free of ice");
    await eve.goto(`/knowledge/strategy/${id}`);
    await eve.getByRole("link", { name: "How far it holds", exact: true }).click();
    await eve.getByText("It was not calculated yet.").waitFor();
    expect(await button(eve, "Calculate it").count()).toBe(0);
    await ben.goto(`/knowledge/strategy/${id}/validity`);
    await button(ben, "Calculate it").click();
    await ben.getByText("100 of 100.").waitFor();
    await ben.getByText("Where it goes can be said once its score is known for half a day at least.").waitFor();
    await make(`${OBJECTIVES}/${id}/assess`, { status: "at-risk", evidence: ["No icebreaker"] });
    const table = eve.getByRole("table", { name: "How it changed" });
    const row = table.getByRole("row").filter({ hasText: "how it was assessed: It was assessed as at-risk." });
    await row.getByText("85", { exact: true }).waitFor();
    await row.getByText("−15", { exact: true }).waitFor();
    await sound(eve);
    // A slope wants half a day between two scores; sessions end before that.
    desk.at.clock.advance(14 * 3_600_000);
    await make(`${OBJECTIVES}/${id}/assess`, { status: "off-track", evidence: ["Ice to the pier"] });
    const later = await desk.person(evelyn.email);
    await later.goto(`/knowledge/strategy/${id}/validity`);
    await later.getByText(/^70 of 100\. It was falling in the last 30 days, by \d/).waitFor();
    await later.getByText("What the score is made of").click();
    await later.getByText("−30, how it was assessed: It was assessed as off-track.").waitFor();
    await sound(later);
    await later.goto(`/knowledge/strategy?set=${set}`);
    const doubts = region(later, "May no longer hold");
    await doubts.getByRole("link", { name: "Keep the harbour free of ice" }).click();
    await later.getByRole("table", { name: "How it changed" }).waitFor();
  });
});
