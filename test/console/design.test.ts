import type { Page } from "playwright-core";
import { WHOLE } from "../knowledge/design.requests.ts";
import { admit, as, openSet, person, type Person } from "../workspace/people.ts";
import { consoleWorld, inChromium, sound, type ConsoleWorld } from "./console.ts";
import { browserOf, button } from "./people.ts";

// The design of a problem set, as Ann writes it with Ben until planning can take it over.

inChromium("the design of a problem set in the console", () => {
  let desk: ConsoleWorld;
  let ann: Page, eve: Page;
  let annika: Person, ben: Person;
  let set: string;

  beforeAll(async () => {
    desk = await consoleWorld();
    let evelyn: Person;
    [[ann, annika], [eve, evelyn], ben] = await Promise.all([
      browserOf(desk, "Ann"),
      browserOf(desk, "Eve"),
      person(desk.at, "ben"),
    ]);
    set = await openSet(desk.at, annika, { name: "Northern road" });
    await admit(desk.at, set, ben, "planner");
    await admit(desk.at, set, evelyn, "liaison");
  });
  afterAll(() => desk.stop());

  const written = (name: string) => ann.getByRole("textbox", { name, exact: true });
  const write = (section: string, fields: object) => as(desk.at, ben)("PATCH", `/api/design/${set}/${section}`, fields);

  it("says what is lacking, and is written part by part; two do not write over each other", async () => {
    await ann.goto(`/workspace/${set}/direction`);
    await ann.getByRole("link", { name: "Design" }).click();
    await ann.getByText("0 of 8 parts are complete.").waitFor();
    await ann.getByText("Nobody has said the assumptions yet").waitFor();
    await sound(ann);
    await ann.getByRole("link", { name: "Write: Approach" }).click();
    await button(ann, "Add one: Conditions that make up the end state").click();
    await written("Conditions that make up the end state, 1").fill("The road carries supplies.");
    await button(ann, "Add one: Conditions that make up the end state").click();
    await written("Conditions that make up the end state, 2").fill("The road carries supplies.");
    await button(ann, "Add one: Lines of effort").click();
    await written("Lines of effort, 1").fill("Repair the road.");
    await ann.getByText("Keep the conditions first").waitFor();
    await sound(ann);
    await button(ann, "Keep").click();
    await ann.getByText("Another point of the list is the same.").waitFor();
    await button(ann, "Remove: Conditions that make up the end state, 2").click();
    await button(ann, "Keep").click();
    const approach = ann.getByRole("region", { name: "Approach" });
    await approach.getByText("Repair the road.").waitFor();
    await ann.getByText("1 of 8 parts are complete.").waitFor();
    await ann.getByRole("link", { name: "Write: Approach" }).click();
    await ann.getByLabel("The road carries supplies.").check();
    await write("approach", { linesOfEffort: [{ statement: "Repair the road and its culvert." }] });
    await button(ann, "Keep").click();
    await ann.getByText("Somebody changed this part since you opened it.").waitFor();
    await ann.goto(`/workspace/${set}/design/approach`);
    await ann.getByLabel("The road carries supplies.").check();
    await button(ann, "Keep").click();
    await approach.getByText("It achieves: The road carries supplies.").waitFor();
    await ann.getByRole("link", { name: "Write: Risks" }).click();
    await ann.getByText("Kept so, it says that there are none.").waitFor();
    await button(ann, "Keep").click();
    await ann.getByRole("region", { name: "Risks" }).getByText("There are none.", { exact: true }).waitFor();
    await eve.goto(`/workspace/${set}/design`);
    await eve.getByText("2 of 8 parts are complete.").waitFor();
    expect(await eve.getByRole("link", { name: "Write: Risks" }).count()).toBe(0);
    await eve.goto(`/workspace/${set}/design/risks`);
    await eve.getByText("Your role here reads the design").waitFor();
  });

  it("says what does not fit, and goes over to planning once it is whole", async () => {
    for (const [section, fields] of Object.entries(WHOLE))
      if (section !== "guidance") expect((await write(section, fields)).status).toBe(200);
    await ann.getByText("7 of 8 parts are complete.").waitFor();
    await ann.getByText("2 things are still to be written.").waitFor();
    await ann.getByRole("link", { name: "Write: Guidance" }).click();
    await ann.getByLabel("Guidance for planning").fill("Keep the bridge at Lhota closed to traffic.");
    await button(ann, "Add one: Constraints").click();
    await written("Constraints, 1").fill("Raise the northern road before the farmers agree.");
    await ann.getByLabel("It", { exact: true }).selectOption({ label: "must not be done" });
    await button(ann, "Keep").click();
    await ann.getByText("Every part is complete.").waitFor();
    await button(ann, "Look").click();
    await button(ann, "Look again").waitFor();
    await sound(ann);
    await button(ann, "Hand it over").click();
    await sound(ann);
    await button(ann.getByRole("dialog"), "Hand it over").click();
    await ann.getByText(/^Handed over once, last by Ann/).waitFor();
    await ann.getByText("Planning has all that stands here.").waitFor();
    await write("intent", { purpose: "Supply the villages by road." });
    await ann.getByText("1 change since").click();
    await ann.getByText("Intent: reworded: Supply the villages by road.").waitFor();
    await sound(ann);
  });
});
