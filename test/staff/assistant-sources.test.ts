import { world, type TestWorld } from "../mesh.ts";
import { admit, as, openCompartment, openSet, persons, type Person } from "../workspace/people.ts";
import { said } from "./assistant.requests.ts";
import { put } from "../knowledge/documents.requests.ts";
import { pdf } from "../knowledge/files.ts";
import { done } from "./setup.ts";

// What the assistant answers from, without a model: what a problem set holds, as whoever asks sees it, and the API itself.

let at: TestWorld;
let ann: Person, ben: Person, kim: Person;
let set: string, red: string, mission: string;

beforeAll(async () => {
  at = await world();
  [ann, ben, kim] = await persons(at, "ann", "ben", "kim");
  set = await openSet(at, ann, { name: "Upper Morava" });
  await admit(at, set, ben, "planner");
  await admit(at, set, kim, "analyst");
  red = await openCompartment(at, set, ann, "Red", ben);
  mission = (
    await done(at, ann, "POST", "/api/missions", {
      problemSetId: set,
      name: "Evacuate zone A",
      description: "Shelter everybody below the 100-year line.",
      objective: "Zone A is empty before the crest.",
    })
  ).id;
  await done(at, ann, "POST", "/api/mdmp/workflows", { missionId: mission });
  await done(at, ann, "POST", `/api/mdmp/workflows/${mission}/assumptions`, {
    statement: "The bridge at Lhota carries twelve tonnes.",
    blocking: true,
  });
  for (const body of [
    { name: "Boat Otter", kind: "vehicle", readiness: "limited" },
    { name: "Boat Heron", kind: "vehicle", compartments: [red] },
  ])
    await done(at, ben, "POST", "/api/resources", { problemSetId: set, ...body });
});
afterAll(() => at?.stop());

const asked = (text: string, who: Person = ann): Promise<any> => said(at, set, { text }, who);

it("answers from missions, what their plans assume, and resources, in sentences that end once", async () => {
  const evacuation = await asked("When must zone A be empty?");
  expect(evacuation).toMatchObject({ method: "heuristic", citations: [{ type: "mission", id: mission }] });
  expect(evacuation.text).toContain("Zone A is empty before the crest. [1]");
  expect(evacuation.text).not.toContain("..");

  const assumed = await asked("Which assumption is blocking, and what of the bridge?");
  expect(assumed.text).toContain("The bridge at Lhota carries twelve tonnes.");
  expect(assumed.citations).toContainEqual(
    expect.objectContaining({ type: "mission", href: `/api/mdmp/workflows/${mission}/assumptions` }),
  );

  const boat = await asked("What is the readiness of the boat Otter?");
  expect(boat.citations[0]).toMatchObject({ type: "resource", title: "Boat Otter" });
  expect(boat.text).toContain("limited");
});

it("says of gates and missions how they stand, wherever their names are quoted", async () => {
  const gate = (name: string) => done(at, ann, "POST", "/api/gates", { problemSetId: set, tab: "plan", name });
  await gate("Buses confirmed by the county");
  const { id } = await gate("Evacuation order released");
  await done(at, ann, "POST", `/api/gates/${id}/submit`, {});
  const gates = await asked("Which gates are open?");
  expect(gates.text).toContain("Gate Buses confirmed by the county: open.");
  expect(gates.text).not.toMatch(/Evacuation order released(?!: submitted)/);
  expect((await asked("Which mission evacuates zone A?")).text).toContain("Mission Evacuate zone A: draft.");
});

it("says how far a plan is, what blocks it, and who withdrew what it assumed, and why", async () => {
  const plan = `/api/mdmp/workflows/${mission}`;
  expect((await asked("In which phase is the decision process?")).text).toContain("in the phase Receipt of mission.");
  const { text, citations } = await asked("What blocks the next phase of Evacuate zone A?");
  expect(text).toContain("is blocked");
  expect(text).toContain("The bridge at Lhota");
  expect(citations).toContainEqual(expect.objectContaining({ type: "mission", href: plan }));
  const { id } = await done(at, ann, "POST", `${plan}/assumptions`, { statement: "The ferry company delivers fuel." });
  await done(at, ann, "POST", `${plan}/assumptions/${id}/withdraw`, { reason: "The ferry company is bankrupt." });
  const why = await asked("Who withdrew the assumption about the ferry company, and why?");
  expect(why.text).toMatch(/withdrawn by \S/);
  expect(why.text).toContain("The ferry company is bankrupt.");
});

it("says what was asked and answered, and what was voted on, to those who may read it", async () => {
  const district = await openSet(at, ann, { name: "District", parentId: set });
  const path = `/api/inheritance/${district}/rfis`;
  const request = await done(at, ann, "POST", path, { title: "Mine stores", question: "Where are the mines stored?" });
  const thread = `/api/inheritance/${set}/rfis/${request.id}/messages`;
  await done(at, ann, "POST", thread, { text: "The mines are stored in the old cannery." });
  expect((await asked("Which requests for information are open?")).text).toContain('"Mine stores": open.');
  const answered = await asked("Where are the mines stored?");
  expect(answered.text).toContain("in the old cannery");
  expect(JSON.stringify([answered, await asked("What is asked in the request about mine stores?")])).not.toContain(
    "undefined",
  );
  expect(answered.citations).toContainEqual(expect.objectContaining({ type: "request", id: request.id }));
  const dao = await done(at, ann, "POST", "/api/dao", { problemSetId: set, name: "Council" });
  const fee = { title: "Pay a transit fee", description: "As an interim measure." };
  const proposal = await done(at, ann, "POST", `/api/dao/${dao.id}/proposals`, fee);
  const voted = await asked("Is there a proposal about a transit fee?");
  expect(voted.text).toContain('Proposal "Pay a transit fee": active.');
  expect(voted.citations).toContainEqual(expect.objectContaining({ type: "proposal", id: proposal.id }));
});

it("reads past what runs along the heads of pages", async () => {
  const pages = [1, 2, 3, 4].map((n) => [
    `Plan of the ferry, page ${n}`,
    ["The crest comes on Monday.", "The ferry at Orm", "runs until the second of December.", "Nobody is left."][n - 1]!,
  ]);
  await put(at, ann, await pdf(pages), "plan.pdf", { problemSetId: set });
  const { text, citations } = await asked("Until when does the ferry at Orm run?");
  expect(text).toContain("The ferry at Orm");
  for (const { quote } of citations) expect(quote).not.toContain("Plan of the ferry, page");
});

it("finds in other words what stands in a note behind dozens of newer ones, and says where nothing answers", async () => {
  const note = (text: string, n: number) =>
    put(at, ann, text, `note ${n}.txt`, { problemSetId: set, title: `Note ${n}` });
  const { id } = await note("Dialysis patients were driven to Tarrow General.", 0);
  for (let n = 1; n <= 24; n++) await note(`Watch ${n} ended quietly.`, n);
  const taken = await asked("Where were the kidney patients brought?");
  expect(taken).toMatchObject({ text: expect.stringContaining("to Tarrow General."), citations: [{ id }] });
  const elsewhere = await asked("How many dialysis patients are at Eskmouth?");
  expect(elsewhere.text).not.toMatch(/^Dialysis/);
  const people = await asked("Where do people bring the dialysis patients?");
  expect(people.citations.map(({ type }: { type: string }) => type)).toEqual(["document"]);
});

it("speaks of nothing that lies in a compartment to whoever is not in it", async () => {
  const seen = await asked("Where is the boat Heron?", ben);
  expect(seen).toMatchObject({ compartments: [red], citations: [{ title: "Boat Heron" }] });
  const unseen = await asked("Where is the boat Heron?", kim);
  expect(JSON.stringify(unseen)).not.toContain("Boat Heron");
});

it.each([
  ["How do I send the readings of a resource?", "Submit readings of resources: POST /api/resources/telemetry."],
  ["How do I send a message?", "POST /api/messages."],
  ["How do I add a sensor?", "Enrol a sensor: POST /api/sensors. It needs `name`."],
  ["How can I delete a mission?", "DELETE /api/missions/{id}"],
  ["Which call searches the news?", "GET /api/search"],
  ["How do I approve a gate?", "POST /api/gates/{gateId}/approve"],
])("tells how something is done here: %s", async (question, answer) => {
  const reply = await asked(question);
  expect(reply.text).toContain(answer);
  expect(reply.citations).toContainEqual(expect.objectContaining({ type: "operation", href: "/api/docs" }));
});

it("holds what is asked of the matter for no question about the API", async () => {
  const reply = await asked("When does a sensor see the crest?");
  expect(reply.citations.map(({ type }: { type: string }) => type)).not.toContain("operation");
  const { status } = await as(at, ann)("POST", `/api/assistant/${set}/message`, { message: "Hello" });
  expect(status).toBe(400);
});

it("quotes facts that stand alone, and what a resource last measured", async () => {
  const add = (body: object) => done(at, ann, "POST", "/api/resources", { problemSetId: set, ...body });
  const gauge = await add({ name: "Gauge Lhota", kind: "facility", series: [{ key: "level", unit: "cm" }] });
  await add({ name: "Pump A", kind: "equipment", readiness: "maintenance" });
  await add({ name: "Pump B", kind: "equipment" });
  await done(at, ann, "POST", "/api/resources/telemetry", { resourceId: gauge.id, key: "level", value: 402 });

  const boat = await add({ name: "Boat 3", kind: "vessel", location: { latitude: 50.05, longitude: 14.5 } });
  for (const key of ["fuel", "speed", "heading", "depth"])
    await done(at, ann, "POST", "/api/resources/telemetry", { resourceId: boat.id, key, value: 4 });
  expect((await asked("Where is Boat 3?")).text).toMatch(/^Place of Boat 3: 50\.05, 14\.5 \(WGS 84\), at 20/m);
  expect((await asked("Which pumps are ready?")).text).toMatch(/^Readiness of Pump B: ready\. \[\d\]$/m);
  expect((await asked("Show me the readiness of Pump A")).text).toContain("Readiness of Pump A: maintenance.");
  expect((await asked("What is the level at Lhota?")).text).toMatch(/Latest level of Gauge Lhota: 402 cm, at 20/);
});

it("tells what is called by a number from what has another", async () => {
  for (const n of [1, 2, 3, 4, 5, 6, 7, 8, 9])
    await done(at, ann, "POST", "/api/resources", {
      ...{ problemSetId: set, name: `Launch 0${n} of the north`, kind: "vessel" },
      ...{ readiness: n === 2 ? "maintenance" : "ready", location: { latitude: 40 + n, longitude: 9 } },
    });
  const readiness = (await asked("What is the readiness of Launch 2?")).text;
  expect(readiness).toContain("Readiness of Launch 02 of the north: maintenance.");
  expect(readiness).not.toMatch(/Launch 0[^2]/);
  const place = (await asked("Where is Launch 7?")).text;
  expect(place).toMatch(/^Place of Launch 07 of the north: 47, 9 \(WGS 84\), at 20/m);
  expect(place).not.toMatch(/Launch 0[^7]/);
});

it("finds by name, or by readiness, what lies behind a hundred others", async () => {
  const kits = Array.from({ length: 101 }, (_, n) => ({ name: `Volunteer kit ${n}`, kind: "equipment" }));
  const imported = await as(at, ann)("POST", `/api/resources/bulk-import?problemSetId=${set}`, { rows: kits });
  expect(imported.body.data.created).toHaveLength(101);
  expect((await asked("What is the readiness of Launch 2?")).text).toContain("Launch 02 of the north: maintenance.");
  expect((await asked("Where is Gauge Lhota, and is it ready?")).text).toContain("Gauge Lhota");
  for (let n = 0; n < 101; n++)
    await done(at, ann, "POST", "/api/sensors", { problemSetId: set, name: `Mast ${n}`, kind: "camera" });
  expect((await asked("What is the status of Mast 0?")).text).toContain("Sensor Mast 0, camera: active.");
  expect((await asked("Which pumps are in maintenance?")).text).toContain("Readiness of Pump A: maintenance.");
});

it("names the supplies that run short", async () => {
  const supplies = { problemSetId: set, unit: "l", minimum: 1_000 };
  for (const one of [
    { name: "Diesel", level: 900 },
    { name: "Water", level: 5_000 },
  ])
    await done(at, ann, "POST", "/api/resources/consumables", { ...supplies, ...one });
  const { text } = await asked("Which supplies are running low?");
  expect(text).toContain("Diesel is running low, short of supplies: 900 l are left.");
  expect(text).not.toContain("Water is");
});

it("says what may help where nothing that was read speaks of a question, and that there is no model", async () => {
  const wanted = await asked('Suspend the credential "Harbour pilot"');
  expect(wanted.text).toMatch(/nothing is done by words alone\.\nWhat may do it:\n/);
  expect(wanted.text).toContain("POST /api/credentials/{id}/suspend");
  expect(wanted.citations[0]).toMatchObject({ type: "operation", href: "/api/docs" });
  const near = await asked('Suspending of the credential "Harbour pilot"');
  expect(near.text).toMatch(/^Nothing that you may read speaks of this\. What may help:\n/);
  const idle = await asked("Qwerty zxcvb?");
  expect(idle).toMatchObject({ text: expect.stringContaining("NOT_CONFIGURED"), citations: [] });
});

it("says of an order that nothing is done by it without a model, what does it, and what can be proposed", async () => {
  await done(at, ann, "POST", "/api/missions", { problemSetId: set, name: "Sandbags at the school" });
  const { text, citations } = await asked("Open a mission called Sandbags at Lipova");
  expect(text).toMatch(
    /^No language model is configured \(NOT_CONFIGURED\), so that nothing is done by words alone\.\n/,
  );
  expect(text).toMatch(/^An act is proposed where its arguments come as `input` .*Open a mission; /m);
  expect(text).toMatch(/^Open a mission: POST \/api\/missions\. It needs .*`name`\. \[1\]$/m);
  expect(text).not.toContain("Sandbags at the school");
  expect(citations[0]).toMatchObject({ n: 1, type: "operation" });
  expect((await asked("Please accept the assumption about the bridge")).text).toContain("/accept");
  // What only sounds like one is a question still.
  for (const question of ["Open gates of the plan", "Show the mission at the school", "Which missions are open?"])
    expect((await asked(question)).text).not.toContain("by words alone");
});

it("says in words what it proposes", async () => {
  const reply = await said(at, set, { text: "Open a mission", input: { name: "Sandbags" } }, ann);
  expect(reply.text).toMatch(
    /^Proposed: Open a mission\. It waits for your answer: POST \/api\/assistant\/\S+\/confirm\./,
  );
  expect(reply.text).not.toContain("Nothing that you may read");
});

it("says how many there are of what it quotes a few of, as whoever asks sees them, and where all are", async () => {
  for (let pump = 1; pump <= 9; pump++)
    await done(at, ann, "POST", "/api/resources", {
      problemSetId: set,
      name: `Pump ${pump}`,
      kind: "equipment",
      readiness: "lost",
    });
  await done(at, ben, "POST", "/api/resources", {
    problemSetId: set,
    name: "Pump X",
    readiness: "lost",
    compartments: [red],
  });
  const count = (text: string) => /In all, (\d+) resources are lost; quoted are (\d+)/.exec(text)?.slice(1).map(Number);
  const [all, quoted] = count((await asked("Which resources are lost?")).text)!;
  expect([all, quoted! < 9]).toEqual([9, true]);
  const { text } = await asked("Which resources are lost?", ben);
  expect(count(text)![0]).toBe(10);
  expect(text).toContain(`GET /api/resources?problemSetId=${set}&readiness=lost`);
  expect((await asked("What is the readiness of the boat Otter?")).text).not.toContain("In all");
});

it("sums up a plan by its own sentences, and not by its title", async () => {
  const plan = [
    "Evacuation plan",
    "The district evacuates the people of zone A before the crest of the flood. Buses take people from the school to " +
      "the shelter in Horka. The shelter in Horka has room for four hundred people. Boats follow where buses cannot " +
      "pass the flood. The weather is told at noon. The police close the roads of zone A once the buses have left.",
  ].join("\n\n");
  await put(at, ann, plan, "plan.txt", { problemSetId: set, title: "Evacuation plan" });
  const { text, citations } = await asked("Summarise the evacuation plan.");
  expect(text.split("\n").length).toBeGreaterThan(3);
  expect(text).toMatch(/evacuates the people of zone A before the crest of the flood\. \[\d\]/);
  expect(citations[0]).toMatchObject({ type: "document", title: "Evacuation plan" });
});
