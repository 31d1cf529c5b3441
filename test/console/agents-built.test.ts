import type { Page } from "playwright-core";
import { done } from "../staff/setup.ts";
import { admit, persons, signIn, type Person } from "../workspace/people.ts";
import { consoleWorld, inChromium, sound, type ConsoleWorld } from "./console.ts";
import { button } from "./people.ts";

// An agent is built step by step by an administrator, tried, and set up further.

inChromium("agents built in the console", () => {
  let desk: ConsoleWorld;
  let ann: Person;
  let page: Page, other: Page;
  let set: string;

  beforeAll(async () => {
    desk = await consoleWorld();
    [ann] = await persons(desk.at, "ann");
    const token = await signIn(desk.at, "admin@example.org");
    set = (await desk.at.http("POST", "/api/problem-sets", { as: token, body: { name: "Open Road" } })).body.data.id;
    await admit(desk.at, set, ann, "planner");
    [page, other] = [await desk.person(), await desk.person(ann.email)];
  });
  afterAll(() => desk.stop());

  const next = (words: string) => page.getByRole("link", { name: `Next: ${words}`, exact: true }).click();
  const region = (name: string) => page.getByRole("region", { name, exact: true });
  const toStep = (name: string) => page.getByRole("navigation", { name: "Steps" }).getByRole("link", { name }).click();

  it("begins with a template, says what each step means and what is wrong, and makes it", async () => {
    await page.goto(`/staff/agents?set=${set}`);
    await page.getByRole("link", { name: "Make an agent" }).click();
    await page.getByRole("heading", { name: "Make an agent: what it is", level: 1 }).waitFor();
    await page.getByLabel("Governance clerk").check();
    await page.getByLabel("Name", { exact: true }).fill("");
    await sound(page);
    await next("what it can do");
    await page.getByLabel("Watching gates and votes").and(page.locator(":checked")).waitFor();
    await page.getByText("to mend").waitFor();
    await page.getByText("Choose single tools").click();
    await page.getByLabel("Approve a gate", { exact: false }).first().check();
    await sound(page);
    await next("how much is left to it");
    await page.getByLabel("It acts, a person watches").and(page.locator(":checked")).waitFor();
    await region("How much is left to it").getByText("Never", { exact: true }).first().waitFor();
    await sound(page);
    await next("how it works");
    await page.getByText("You watch gates, votes and their deadlines.").waitFor();
    await page.getByText("No language model is connected. Agents work all the same").waitFor();
    await page.getByLabel("Most that a run costs (optional)").fill("2");
    await sound(page);
    await next("look, and make it");
    const said = region("What the platform says of it");
    expect(await button(page, "Make it").isDisabled()).toBe(true);
    // Where it is wrong it says so, too.
    await said.getByRole("link", { name: "Name", exact: true }).click();
    await page.getByLabel("Name", { exact: true }).and(page.locator('[aria-invalid="true"]')).waitFor();
    await page.getByLabel("Name", { exact: true }).fill("Clerk");
    await toStep("Look, and make it");
    await said.getByText("Changes gates and votes: never done where so much is left to it").waitFor();
    await said.getByText("This installation has no prices of the model.").waitFor();
    expect(await button(page, "Make it").isDisabled()).toBe(true);
    await sound(page);
    await toStep("How it works");
    await page.getByText("This installation has no prices of the model.").waitFor();
    await page.getByLabel("Most that a run costs (optional)").fill("");
    await toStep("How much is left to it");
    await page.getByLabel("It proposes").check();
    await page.getByText("After a person has approved it", { exact: true }).first().waitFor();
    await toStep("Look, and make it");
    const prompt = region("What its model is told");
    await prompt.getByText("You watch gates, votes and their deadlines.").first().waitFor();
    await prompt.getByLabel("A task to see it by (optional)").fill("Which gates are late?");
    await prompt.getByText("All of it, as it is sent").click();
    await prompt.getByText("Task: Which gates are late?").waitFor();
    await sound(page);
    await button(page, "Make it").click();
    await page.getByRole("heading", { name: "Clerk", level: 1 }).waitFor();
  });

  it("is tried as soon as it is there, and nothing is changed by it", async () => {
    const trying = page.getByRole("dialog", { name: "Work for Clerk" });
    await trying.getByLabel("Reads what the person may read").check();
    await button(trying, "Let it").click();
    await trying.getByLabel("What it is to do").fill("List the gates");
    await trying.getByLabel("Rehearse only").and(page.locator(":checked")).waitFor();
    await button(trying, "Begin").click();
    await page.getByRole("heading", { name: "A run of Clerk" }).waitFor();
    await page.getByText("rehearsal: nothing is changed").waitFor();
  });

  it("has a page of how it is set up: whose words, model and limits they are, and what it may use", async () => {
    await page.getByRole("link", { name: "Clerk", exact: true }).first().click();
    await page.getByRole("link", { name: "How it is set up", exact: true }).click();
    await page.getByRole("heading", { name: "How Clerk is set up", level: 1 }).waitFor();
    await button(region("What it is"), "Change it").click();
    const changing = page.getByRole("dialog", { name: "Change Clerk" });
    await changing.getByLabel("What it is for").fill("Watches the gates");
    await changing.getByLabel("Mission analysis").check();
    await sound(page);
    await button(changing, "Save").click();
    await region("What it is").getByText("Watches the gates").waitFor();
    const words = region("Instructions");
    await words.getByText("The words of its template").waitFor();
    await button(words, "Write its instructions").click();
    await sound(page);
    const writing = page.getByRole("dialog", { name: "Instructions for Clerk" });
    await writing.getByLabel("Instructions").fill("You watch the river gates.");
    await button(writing, "Save").click();
    await words.getByText("You watch the river gates.").waitFor();
    await button(words, "Take its words away").click();
    await button(page.getByRole("dialog"), "Take its words away").click();
    await words.getByText("The words of its template").waitFor();

    const model = region("Model and limits");
    await model.getByText("512").waitFor();
    await button(model, "Change model and limits").click();
    const limits = page.getByRole("dialog", { name: "Model and limits of Clerk" });
    await limits.getByLabel("Most acts of a run").fill("51");
    await limits.getByLabel("Most that a run costs").fill("3");
    await sound(page);
    await limits.getByLabel("Most acts of a run").fill("7");
    await button(limits, "Save").click();
    await limits.getByRole("alert").waitFor();
    await limits.getByLabel("Most that a run costs").fill("");
    await button(limits, "Save").click();
    await limits.waitFor({ state: "detached" });
    await model.getByText("(its own)").first().waitFor();
    await button(model, "Take its own away").click();
    await button(page.getByRole("dialog"), "Take its own away").click();
    await model.getByText("(its own)").first().waitFor({ state: "detached" });

    const tools = region("Tools");
    await button(tools, "Give it a tool").click();
    const giving = page.getByRole("dialog", { name: "A tool for Clerk" });
    await giving.getByLabel("Tool").selectOption("list_articles");
    await button(giving, "Give it").click();
    await tools.getByRole("link", { name: "List articles" }).waitFor();
    await tools.getByRole("button", { name: "Take away: List articles" }).click();
    await tools.getByRole("link", { name: "List articles" }).waitFor({ state: "detached" });
    await region("Identity")
      .getByText(/^did:key:/)
      .waitFor();
    await sound(page);

    // Somebody's delegation uses it.
    await button(page, "Remove it").click();
    const asking = page.getByRole("dialog", { name: "Remove Clerk?" });
    await asking.getByText("It is used, and stays until these do without it:").waitFor();
    await asking.getByText("Delegation until").waitFor();
    expect(await button(asking, "Remove it").count()).toBe(0);
    await sound(page);
    await button(asking, "Cancel").click();
  });

  it("adds a tool, says at the field what it cannot be, gives it away and removes it when nobody has it", async () => {
    await page.getByRole("link", { name: "Tools", exact: true }).click();
    await page.getByRole("table", { name: "Tools" }).waitFor();
    await sound(page);
    await page.getByRole("link", { name: "Add a tool" }).click();
    await page.getByLabel("What the platform does").waitFor();
    await sound(page);
    await page.getByLabel("A request to another server").check();
    await page.getByLabel("Name", { exact: true }).fill("read_gauge");
    await page.getByLabel("What it does", { exact: true }).fill("Read the gauge at the weir");
    await page.getByLabel("Address", { exact: true }).fill("https://gauges.example.org/v1/{weir}");
    await page.getByLabel("What such an act is").selectOption("observe");
    await button(page, "Add a header").click();
    await page.getByLabel("Header", { exact: true }).fill("x-gauge-key");
    await page.getByLabel("Its value").fill("a-key-of-the-gauges-77");
    await button(page, "Add it").click();
    await page.getByText("{weir} must be a required argument").waitFor();
    await button(page, "Add a value").click();
    await page.getByRole("group", { name: "Value 1" }).getByLabel("Name").fill("weir");
    await sound(page);
    await button(page, "Add it").click();
    await page.getByText("at least “Sends something beyond the platform”").waitFor();
    await page.getByLabel("What such an act is").selectOption("communicate-outside");
    await button(page, "Add it").click();
    await page.getByRole("heading", { name: "Read the gauge at the weir", level: 1 }).waitFor();
    await page.getByText("x-gauge-key").waitFor();
    await page.getByText("Nothing uses it.").waitFor();

    const chief = await desk.person();
    await chief.goto(page.url());
    await chief.getByText("No agent that you see has it.").waitFor();
    await button(page, "Give it to an agent").click();
    await page.getByRole("dialog").getByLabel("Agent").selectOption({ label: "Clerk (Open Road)" });
    await button(page.getByRole("dialog"), "Give it").click();
    await page.getByRole("button", { name: "Take it away: Clerk" }).waitFor();
    await button(page, "Change it").click();
    const changing = page.getByRole("dialog", { name: "Change: Read the gauge at the weir" });
    await changing.getByLabel("It may take, in seconds").fill("5");
    await sound(page);
    await button(chief, "Change it").click();
    await button(changing, "Save").click();
    await page.getByText("5.0 s, and answer up to 64 KB").waitFor();
    // Where it is open elsewhere, it changes too.
    await chief.getByText("5.0 s, and answer up to 64 KB").waitFor();
    await button(chief.getByRole("dialog"), "Save").click();
    await chief.getByText("Somebody changed it since you opened this.").waitFor();
    await chief.close();
    await button(page, "Switch it off").click();
    await page.getByRole("dialog").getByLabel("Why (optional)").fill("The gauges are serviced");
    await button(page.getByRole("dialog"), "Switch it off").click();
    await page.getByText("The gauges are serviced").waitFor();
    await button(page, "Switch it on").click();
    await button(page, "Remove it").click();
    await page.getByRole("dialog").getByText("It is used, and stays").waitFor();
    await button(page.getByRole("dialog"), "Cancel").click();
    await page.getByRole("button", { name: "Take it away: Clerk" }).click();
    await page.getByText("Nothing uses it.").waitFor();
    await sound(page);
    await button(page, "Remove it").click();
    await button(page.getByRole("dialog"), "Remove it").click();
    await page.getByRole("heading", { name: "Tools", level: 1 }).waitFor();
  });

  it("lends agents what the platform does, and says of a server of tools that it cannot be reached", async () => {
    await page.goto("/staff/tools");
    await page.getByRole("link", { name: "Add a tool" }).click();
    await page.getByLabel("Name", { exact: true }).fill("submit_objective");
    await page.getByLabel("What it does", { exact: true }).fill("Submit an objective for review");
    await page.getByLabel("What the platform does").selectOption("strategic.objectives.submit");
    await page.getByLabel("What such an act is").selectOption("observe");
    await button(page, "Add it").click();
    await page.getByText("at least “Changes what others rely on”").waitFor();
    await page.getByLabel("What such an act is").selectOption("modify-shared");
    await button(page, "Add it").click();
    await page.getByRole("heading", { name: "Submit an objective for review", level: 1 }).waitFor();
    await page.getByText("strategic.objectives.submit").waitFor();
    await page.getByRole("link", { name: "Tools", exact: true }).click();
    await page.getByLabel("What it is", { exact: true }).selectOption("http");
    await button(page, "Show").click();
    await page.getByText("No tool fits this choice.").waitFor();
    await page.getByRole("link", { name: "Add a tool" }).click();
    await page.getByLabel("A tool of a server of tools").check();
    await page.getByLabel("Name", { exact: true }).fill("forecast");
    await page.getByLabel("What it does", { exact: true }).fill("Forecast the river");
    await page.getByLabel("Address of the server").fill("http://127.0.0.1:9/mcp");
    await page.getByLabel("Its name for the tool").fill("forecast");
    await button(page, "Add it").click();
    await page.getByLabel("Address of the server").and(page.locator('[aria-invalid="true"]')).waitFor();
    await sound(page);
  });

  it("judges what came with the platform more strictly, and brings it back as it came", async () => {
    await page.goto("/staff/tools/list_articles");
    await button(page, "Change it").click();
    await page.getByRole("dialog").getByLabel("What such an act is").selectOption("annotate");
    await button(page.getByRole("dialog"), "Save").click();
    await region("What it is").getByText("Comments on shared records, and marks them").waitFor();
    expect(await button(page, "Remove it").count()).toBe(0);
    await button(page, "As it came").click();
    await region("What it is").getByText("Reads what the person may read").waitFor();
  });

  it("makes a team, puts an agent in to lead it, and asks before it goes", async () => {
    await page.goto(`/staff/teams?set=${set}`);
    await page.getByText("There is no team here yet.").waitFor();
    await sound(page);
    await button(page, "Make a team").click();
    const making = page.getByRole("dialog", { name: "Make a team" });
    await making.getByLabel("Name", { exact: true }).fill("Watch");
    await sound(page);
    await button(making, "Make it").click();
    await page.getByText("Nobody is in it yet, and it cannot work.").waitFor();
    await button(page, "Put an agent in").click();
    const joining = page.getByRole("dialog", { name: "An agent for Watch" });
    await joining.getByLabel("Agent").selectOption({ label: "Clerk" });
    await joining.getByLabel("It leads the team").check();
    await button(joining, "Put it in").click();
    await page.getByText("leads it", { exact: true }).waitFor();
    await sound(page);
    await button(page, "Change it").click();
    await page.getByRole("dialog").getByLabel("Name", { exact: true }).fill("River watch");
    await button(page.getByRole("dialog"), "Save").click();
    await page.getByRole("heading", { name: "River watch", level: 1 }).waitFor();
    await page.getByRole("link", { name: "Clerk", exact: true }).click();
    await page.getByRole("link", { name: "How it is set up", exact: true }).click();
    await region("Teams").getByRole("link", { name: "River watch" }).click();

    // Where a set chooses who works, it can choose the team.
    await page.goto(`/staff/workflows?set=${set}`);
    await button(page, "Make a supervisor").click();
    const supervising = page.getByRole("dialog", { name: "Make a supervisor" });
    await supervising.getByLabel("Name", { exact: true }).fill("Desk");
    await supervising.getByLabel("To", { exact: true }).selectOption({ label: "the team River watch" });
    await sound(page);
    await button(supervising, "Make it").click();
    await page.getByRole("table", { name: "Supervisors" }).getByText("the team River watch").waitFor();
    await page.goto(`/staff/feed?set=${set}`);
    await page.getByText("Who answers about what").click();
    await page.getByLabel("gates", { exact: true }).selectOption({ label: "the team River watch" });
    await page.getByText("Clerk answers about gates now.").waitFor();
    await page.getByLabel("gates", { exact: true }).selectOption({ label: "the assistant" });
    await page.getByText("answers about gates now.").nth(1).waitFor();
    await page.goto(`/staff/teams?set=${set}`);
    await page.getByRole("link", { name: "River watch" }).click();
    await region("What gives it work").getByRole("link", { name: "Desk" }).waitFor();
    await button(page, "Remove it").click();
    await page.getByRole("dialog").getByText("It is used, and stays").waitFor();
    expect(await button(page.getByRole("dialog"), "Remove it").count()).toBe(0);
    await button(page.getByRole("dialog"), "Cancel").click();
    const token = await signIn(desk.at, "admin@example.org");
    const [{ id: desks }] = (
      await desk.at.http("GET", `/api/orchestration/supervisors?problemSetId=${set}`, { as: token })
    ).body.data;
    await desk.at.http("DELETE", `/api/orchestration/supervisors/${desks}`, { as: token });
    await page.getByRole("button", { name: "Take out: Clerk" }).click();
    await page.getByText("Nobody is in it yet").waitFor();
    await button(page, "Remove it").click();
    await page.getByRole("dialog").getByText("Its agents stay.").waitFor();
    await button(page.getByRole("dialog"), "Remove it").click();
    await page.getByText("There is no team").waitFor();
  });

  it("shows an administrator nothing of what lies in a compartment that they are not read into", async () => {
    const token = await signIn(desk.at, "admin@example.org");
    const path = `/api/problem-sets/${set}/compartments`;
    const made = await desk.at.http("POST", path, { as: token, body: { name: "Inner" } });
    await desk.at.http("POST", `${path}/${made.body.data.id}/members`, { as: token, body: { did: ann.did } });
    const { id } = await done(desk.at, ann, "POST", "/api/agents", {
      problemSetId: set,
      compartments: [made.body.data.id],
      name: "Mole",
      tools: ["list_missions"],
    });
    await page.goto(`/staff/agents/${id}/setup`);
    await page.getByText("It may have been removed.").waitFor();
    await page.goto("/staff/tools/list_missions");
    await page.getByText("1 thing that you may not see").waitFor();
    expect(await page.getByText("Mole").count()).toBe(0);
    await sound(page);
  });

  it("is not built by who does not administer the platform", async () => {
    await other.goto(`/staff/agents?set=${set}`);
    await button(other, "Make an agent").waitFor();
    expect(await other.getByRole("link", { name: "Tools", exact: true }).count()).toBe(0);
    for (const place of ["/staff/agents/new", "/staff/tools", "/staff/teams"]) {
      await other.goto(place);
      await other.getByText("Administrators see to how agents are built").waitFor();
    }
    await sound(other);
  });
});
