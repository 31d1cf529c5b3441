import type { Page } from "playwright-core";
import { systemActor } from "../../core/access/access.ts";
import { PASSWORD } from "../mesh.ts";
import { account } from "../identity/browser.ts";
import { admit, as, openCompartment, openSet, signIn, type Person } from "../workspace/people.ts";
import { consoleWorld, inChromium, sound, type ConsoleWorld } from "./console.ts";

// Work in a problem set as two people do it, each in a browser of their own: what one does, the other sees.

inChromium("work in a problem set", () => {
  let desk: ConsoleWorld;
  let ann: Person, dora: Person;
  /** The commander's browser, and the deputy's. */
  let annHere: Page, doraHere: Page;
  let home: string;
  let setId: string;

  const someone = async (name: string): Promise<Person> => {
    const { id: userId, email } = await account(desk.at, { name, role: "analyst" });
    const { did } = await desk.at.call("identity.primaryDid", { userId }, systemActor("test"));
    return { name, email, userId, did, token: await signIn(desk.at, email) };
  };
  const reading = (page: Page, text: string | RegExp): Promise<void> => page.getByText(text).first().waitFor();
  const press = (page: Page, name: string): Promise<void> =>
    page.getByRole("button", { name, exact: true }).last().click();

  beforeAll(async () => {
    desk = await consoleWorld();
    [ann, dora] = await Promise.all([someone("Ann"), someone("Dora")]);
    setId = await openSet(desk.at, ann, { name: "Flood on the Morava" });
    await admit(desk.at, setId, dora, "deputy");
    home = `/workspace/${setId}`;
    [annHere, doraHere] = await Promise.all([desk.person(ann.email), desk.person(dora.email)]);
  });
  afterAll(() => desk.stop());

  it("puts a gate up for a decision; somebody else sees it at once, and decides", async () => {
    await Promise.all([annHere.goto(`${home}/gates`), doraHere.goto(`${home}/gates`)]);
    await reading(doraHere, "There is no gate yet");
    // Topics are told apart within one set alone, and asked for there alone.
    await doraHere.getByLabel("Topic").waitFor();
    await doraHere.getByLabel("Where").selectOption({ label: "With the problem sets below" });
    await doraHere.getByLabel("Topic").waitFor({ state: "detached" });
    await press(doraHere, "Add a gate");
    const form = doraHere.getByRole("dialog", { name: "Add a gate" });
    await form.getByLabel("Name").fill("Release of the order");
    await form.getByLabel("What must be true to let it pass").fill("Both routes were driven end to end.");
    await form.getByLabel("Decide by").fill(localIn(50));
    await sound(doraHere);
    await press(doraHere, "Add the gate");
    await doraHere.getByRole("heading", { name: "Release of the order", level: 1 }).waitFor();
    // Until when is told by the clock, too.
    await reading(doraHere, /^in [23] days \(\d+ \w+, \d\d:\d\d\)$/);
    await reading(doraHere, "Then it expires.");
    // No set is above, to which it could be passed.
    expect(await doraHere.getByRole("button", { name: "Pass up" }).count()).toBe(0);
    await press(doraHere, "Submit");
    await doraHere.getByLabel("What whoever decides should know (optional)").fill("Driven this morning.");
    await press(doraHere, "Submit");
    await reading(doraHere, "You cannot approve:");
    await reading(doraHere, "Whoever submitted the gate cannot let it pass themself.");

    // Nobody loads a page again.
    await annHere.getByRole("region", { name: "Waiting for your decision: 1" }).waitFor();
    await reading(annHere, "submitted by Dora: “Driven this morning.”");
    await sound(annHere);
    await annHere.getByRole("link", { name: "Release of the order" }).first().click();
    await annHere.getByRole("heading", { name: "Release of the order", level: 1 }).waitFor();
    await sound(annHere);
    await press(annHere, "Approve");
    await annHere.getByLabel("Note (optional)").fill("Go.");
    await press(annHere, "Approve");
    await reading(annHere, "It is approved: what it guards may go on.");
    await reading(doraHere, "It is approved: what it guards may go on.");
    expect(await doraHere.getByText("Then it expires.").count()).toBe(0);
    await doraHere.getByRole("row", { name: /Ann commander approved it .* Go\./ }).waitFor();
  });

  it("lets a gate that only warns pass with a justification and a fresh proof of the person", async () => {
    const { id } = (
      await as(desk.at, dora)("POST", "/api/gates", {
        problemSetId: setId,
        tab: "public",
        name: "Press statement checked",
        enforcement: "soft",
      })
    ).body.data;
    await annHere.goto(`${home}/gates/${id}`);
    desk.at.clock.advance(10 * 60_000);
    await press(annHere, "Override");
    await annHere.getByLabel("Justification").fill("The window closes tonight.");
    await press(annHere, "Override");
    const proof = annHere.getByRole("dialog", { name: "Prove that it is you" });
    await proof.waitFor();
    await proof.getByText("Use my password instead").click();
    await proof.getByLabel("Password").fill(PASSWORD);
    await press(annHere, "Confirm");
    await reading(annHere, "It was passed without approval, with a justification.");
    await reading(annHere, "let it pass without approval");
  });

  it("takes a mission from its opening through a step of planning to its outcome", async () => {
    await doraHere.goto(`${home}/missions`);
    await reading(doraHere, "There is no mission yet");
    await press(doraHere, "Open a mission");
    const form = doraHere.getByRole("dialog", { name: "Open a mission" });
    await form.getByLabel("Name").fill("Evacuate zone A");
    await form.getByLabel("Objective").fill("Zone A is empty before the crest.");
    await press(doraHere, "Open the mission");
    await doraHere.getByRole("heading", { name: "Evacuate zone A", level: 1 }).waitFor();
    await press(doraHere, "Begin the planning");
    await doraHere.getByRole("listitem").filter({ hasText: "Receipt of mission" }).filter({ hasText: "now" }).waitFor();
    await doraHere.getByLabel("Issue the first warning order", { exact: true }).click();
    await reading(doraHere, /done by Dora/);

    await press(doraHere, "Record an assumption");
    await doraHere.getByLabel("What is assumed").fill("The dam holds until Sunday.");
    await doraHere.getByLabel("Planning waits until it is accepted").check();
    await sound(doraHere);
    await press(doraHere, "Record");
    const held = doraHere.getByRole("list", { name: "What holds the next step back" });
    await held.getByText("The dam holds until Sunday.").waitFor();
    await sound(doraHere);
    await held.getByRole("button", { name: /^Accept/ }).click();
    await press(doraHere, "Go on to “Mission analysis”");
    await press(doraHere, "Go on");
    await reading(doraHere, "Step 2 of 7:");

    for (const name of ["Incident command", "Water rescue"])
      await as(desk.at, dora)("POST", "/api/command/units", { problemSetId: setId, name });
    await press(doraHere, "Put a unit under another");
    await doraHere.getByLabel("Unit", { exact: true }).selectOption("Water rescue");
    await doraHere.getByLabel("Other unit").selectOption("Incident command");
    await press(doraHere, "Put it there");
    await reading(doraHere, "under operational control of Incident command");
    await press(doraHere, "Check it");
    await reading(doraHere, "Nothing is wrong with it.");

    // The other one finds it, and ends it.
    await annHere.goto(`${home}/missions`);
    await annHere.getByRole("row", { name: /Evacuate zone A .* Mission analysis 2 of 7/ }).waitFor();
    await sound(annHere);
    await annHere.getByRole("link", { name: "Evacuate zone A" }).click();
    await press(annHere, "Put into force");
    await press(annHere, "Put into force");
    await press(annHere, "Complete");
    await annHere.getByLabel("Outcome (optional)").fill("All 812 people are out.");
    await press(annHere, "Complete");
    await reading(doraHere, "All 812 people are out.");
    await reading(doraHere, "The mission is over: its planning does not go on.");
  });

  it("carries a message from one to the other as it is sent", async () => {
    await Promise.all([annHere.goto(`${home}/messages`), doraHere.goto(`${home}/messages`)]);
    await reading(annHere, "Nobody has written here yet.");
    await press(annHere, "Begin a channel");
    const form = annHere.getByRole("dialog", { name: "Begin a channel" });
    await form.getByLabel("Name of the channel").fill("watch");
    await form.getByLabel("First message").fill("Gauge at Hradek: 4.1 m.");
    await press(annHere, "Send");
    await doraHere.getByRole("log").getByText("Gauge at Hradek: 4.1 m.").waitFor();
    await press(doraHere, "Follow");
    await doraHere.getByRole("button", { name: "Stop following" }).waitFor();
    // On every page of the set it is told that something new is there.
    await doraHere.getByRole("link", { name: "Gates", exact: true }).click();
    await annHere.getByLabel("Message", { exact: true }).fill("4.3 m, and rising.");
    await press(annHere, "Send");
    await doraHere.getByRole("link", { name: "Messages 1 new" }).click();
    await doraHere.getByRole("log").getByText("4.3 m, and rising.").waitFor();
    await reading(doraHere, "1 new");
    await sound(doraHere);
    await press(doraHere, "Mark 1 as read");
    await doraHere.getByText("1 new").first().waitFor({ state: "detached" });
    await doraHere.getByRole("link", { name: "Messages", exact: true }).waitFor();

    await annHere.getByText("Precedence, marking, and messages for systems").click();
    await annHere.getByLabel("Write JSON instead of text").check();
    await annHere.getByLabel("Message as JSON").fill("{ gauge");
    await press(annHere, "Send");
    await reading(annHere, /^This is not JSON/);
    await annHere.getByLabel("Message as JSON").fill('{ "gauge": "Hradek", "level": 4.4 }');
    await annHere.getByLabel("Kind").fill("gauge.level.measured");
    await press(annHere, "Send");
    await doraHere.getByRole("log").getByText("gauge.level.measured").waitFor();
    await sound(annHere);
    await doraHere.goto(`${home}/messages/dead-letters`);
    await reading(doraHere, "every message that came to you was acknowledged");
    await sound(doraHere);
  });

  it("takes documents in, shows their text and versions, and takes them back", async () => {
    await Promise.all([annHere.goto(`${home}/documents`), doraHere.goto(`${home}/documents`)]);
    await reading(annHere, "No document is here yet.");
    await annHere.getByLabel("Choose files").setInputFiles({
      name: "routes.md",
      mimeType: "text/markdown",
      buffer: Buffer.from("# Routes\n\nNorth: road 444.\n\nSouth: the bridge at Lhota.\n"),
    });
    await annHere.getByRole("list", { name: "Files sent" }).getByRole("link", { name: "routes" }).waitFor();
    await sound(annHere);
    await doraHere.getByRole("row", { name: /routes Can be read/ }).waitFor();
    await doraHere.getByRole("link", { name: "routes" }).click();
    await reading(doraHere, "South: the bridge at Lhota.");
    await sound(doraHere);
    await press(doraHere, "Give a task");
    await doraHere.getByLabel("What is to be done").fill("Drive the northern route.");
    await doraHere.getByLabel("By whom").selectOption("Ann");
    await press(doraHere, "Give the task");
    await annHere.getByRole("link", { name: "Tasks about documents" }).click();
    await annHere.getByRole("button", { name: "Take on: Drive the northern route." }).click();
    await annHere.getByRole("button", { name: "It is done: Drive the northern route." }).waitFor();
    await sound(annHere);
    await annHere.goBack();
    await doraHere.getByLabel("Choose a newer version").setInputFiles({
      name: "routes-2.md",
      mimeType: "text/markdown",
      buffer: Buffer.from("# Routes\n\nNorth: road 444 is cut.\n"),
    });
    await reading(doraHere, "North: road 444 is cut.");
    await doraHere.getByRole("link", { name: "1: routes.md" }).click();
    await reading(doraHere, "South: the bridge at Lhota.");
    await annHere.getByLabel("Choose files").setInputFiles({
      name: "seal.png",
      mimeType: "image/png",
      buffer: Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"),
    });
    await reading(annHere, /^seal\.png: .*PDF, DOCX/);
    await press(doraHere, "Withdraw");
    await doraHere.getByLabel("Why (optional)").fill("Superseded.");
    await press(doraHere, "Withdraw for good");
    await reading(doraHere, /^Withdrawn by Dora.*Superseded/);
    await annHere.getByRole("row", { name: /routes/ }).waitFor({ state: "detached" });
  });

  it("shows nothing of what lies behind a barrier to whoever is not read in, the commander not excepted", async () => {
    // Who is read in is settled under a fresh proof of the person.
    [ann.token, dora.token] = await Promise.all([signIn(desk.at, ann.email), signIn(desk.at, dora.email)]);
    const compartment = await openCompartment(desk.at, setId, ann, "Sources", dora);
    const { id: shown } = (await as(desk.at, dora)("POST", "/api/missions", { problemSetId: setId, name: "Plain" }))
      .body.data;
    const place = { problemSetId: setId, compartments: [compartment], name: "Quince" };
    const made = await Promise.all([
      as(desk.at, dora)("POST", "/api/gates", { ...place, tab: "orders" }),
      as(desk.at, dora)("POST", "/api/missions", place),
    ]);
    const [gate, mission] = made.map(({ body }) => body.data.id as string);
    await doraHere.goto(`${home}/gates/${gate}`);
    await reading(doraHere, "only for: Sources");
    await annHere.goto(`${home}/missions`);
    await annHere.locator(`a[href$="${shown}"]`).waitFor();
    expect(await annHere.getByText("Quince").count()).toBe(0);
    for (const address of [`gates/${gate}`, `missions/${mission}`]) {
      await annHere.goto(`${home}/${address}`);
      await annHere.getByRole("alert").waitFor();
      expect(await annHere.getByText("Quince").count()).toBe(0);
    }
  });
});

/** As a field for date and time has it, so many hours from now. */
const localIn = (hours: number): string => {
  const then = new Date(Date.now() + hours * 3_600_000);
  return new Date(then.getTime() - then.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};
