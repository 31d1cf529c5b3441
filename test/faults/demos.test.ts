import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { demo } from "../demos.ts";

/** Runs a demo to its end; answers what it printed, as one line. */
async function told(...named: string[]): Promise<string> {
  const { code, out, err } = await demo(...named);
  expect([code, err]).toEqual([0, ""]);
  return out.replace(/\s+/g, " ");
}

it("takes feeds to a briefing, and finds what they say", async () => {
  const text = await told();
  for (const words of ["14 articles of 6 sources", "## In brief", "npm run demo -- serve"])
    expect(text).toContain(words);
  // Its reader is a terminal, to which no reference of HTML means anything.
  expect(text).not.toMatch(/&#?\w+;/);
}, 120_000);

it("takes a plan from its upload to planning: extraction, verdict, risk, review, tasks, design, gate", async () => {
  const text = await told("strategy");
  for (const words of [
    "page 1, objective, 98 % sure: “Open the northern road to trucks of 20 tonnes by",
    "page 2, task, 90 % sure: “The 153rd engineer battalion will repair the bridge at Lhota by",
    "6 objectives, told while they were found",
    "Whoever put an objective up for review does not review it.",
    "the objective is approved.",
    "Ilona's list of high risks: “The bridge at Lhota does not carry the trucks”.",
    "“between 40 and 20” → “between 20 and 40”",
    "takes 3 of 6 over, and leaves the rest: version 2 of the plan.",
    "Tasks wait for one another: survey -> load -> repair -> survey.",
    "Bring steel and pontoons → Repair the bridge → Drive over with 20 tonnes",
    "suggests “Roads and bridges”",
    "Infrastructure",
    "nothing was assigned, and nobody was told.",
    "Petr sees 0 assignments.",
    "The environment section lacks the current state.",
    "The assessment section lacks the measures of assessment.",
    'The gate "Release of the design" is open.',
    "handoff 1 goes over to planning.",
    "open, planning waits for it",
  ])
    expect(text).toContain(words);
}, 120_000);

it("brings a hub and two nodes together that were apart for a day", async () => {
  const text = await told("edge");
  for (const words of [
    "This node's clock is 3 h 0 min behind the hub's.",
    "This node's clock is 1 d 2 h ahead of the hub's.",
    "Jana's node says: There is no line.",
    "The post sends 2 changes and the boat 5",
    "headquarters Bridge at the mill A tree lies across the south lane. 380",
    "One change was refused (capacity, “300”)",
    "the headquarters has Pump 9 now, with engineering.water.",
    "decide between them, naming the heads that you saw",
    "Boat Bridge at the mill Closed: water on the north lane, a tree on the south lane. 380",
    "let go of 1 record.",
    "there before, not one byte after.",
    "Petr's node has it: Bus 3 for the care home.",
    "Nothing of it came to the headquarters, and the post goes on.",
  ])
    expect(text).toContain(words);
}, 120_000);

it("asks the assistant: cited answers, a barrier, an act that waits for a yes, trust, a feed, an emergency", async () => {
  const text = await told("assistant");
  for (const words of [
    "The bridge at Lhota carries twelve tonnes since the flood. [1]",
    "The dam at Lipno seeps on its eastern side. [1]",
    "Nothing that you may read speaks of this.",
    "Acts that it brought about: none.",
    "Proposed: Open a mission. It waits for your answer: POST /api/assistant/",
    'Proposed: open_mission {"name":"Repair the bridge"',
    "Missions by now: 0.",
    "It is done. Missions: Repair the bridge.",
    'Jana said "always": this one was done at once.',
    "acts of the class change-governance are answered one by one.",
    'at "twelve tonnes": Ten, after the second flood',
    "It serves the tab plan.",
    "This needs the permit assistant:emergency.",
    "All agents here were stopped in an emergency.",
  ])
    expect(text).toContain(words);
  expect(text).not.toMatch(/evil\.example|link removed/);
}, 120_000);

it("has three watch one picture: resources, a review, a conflict, a hole in what is covered, and a map", async () => {
  const folder = await mkdtemp(join(tmpdir(), "signalmesh-test-"));
  const file = join(folder, "map.svg");
  const text = await told("picture", file);
  for (const words of [
    "critical, fuel 17 %",
    "the map of all three shows both there",
    "Whoever wrote the spec does not publish it: somebody else does.",
    "Blocking feedback on the layer is open.",
    "Convoy 12 is reported at two places",
    "the conflict clears by itself.",
    "the mast is silent",
    "before anything moved coverage 0 · resources 3 · units 1",
    "before the mast fell silent Petr's sketch 2 · coverage 2 · resources 3 · units 1",
    file,
  ])
    expect(text).toContain(words);
  const map = await readFile(file, "utf8");
  expect(map).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"[^]+<\/svg>\n$/);
  for (const name of ["Boat 1", "Convoy 12", "Zone A", "not covered"]) expect(map).toContain(name);
  expect(map).not.toMatch(/NaN|undefined/);
  await rm(folder, { recursive: true });
}, 120_000);

it("makes one graph of two reports and some feeds, and keeps a compartment out of it", async () => {
  const text = await told("graph");
  for (const words of [
    "Jana types “Marek Dvorka” and finds Marek Dvorak, person, in 2 reports.",
    "Ines Amaro is named by Harbour Gazette, Meridian Wire, port-watch.txt: one person, a statement each.",
    "one event, one voice",
    "byte for byte what she saw before",
    "all that it said is gone, and nothing else",
  ])
    expect(text).toContain(words);
}, 120_000);

it("has two agents work in one workflow: checked, decided by people, traced, stopped", async () => {
  const text = await told("agents");
  for (const words of [
    "definition.steps.0.arguments.colour The tool takes no such argument.",
    "look waits for itself, or behind a cycle.",
    "The step ask does not lead here.",
    "It comes to int; a condition comes to a bool.",
    "A planner or above decides this.",
    "It was approved already.",
    "open_mission",
    "opened “Pontoons at Lhota”",
    "each[1]/show",
    "goes to Reader",
    "cancelled, at once",
  ])
    expect(text).toContain(words);
  // The question waits for both of those behind the condition; which of them takes longer is the machine's to say.
  expect(text).toMatch(/longest along look → many → (?:each|gates) → ask → open → over\./);
}, 120_000);
