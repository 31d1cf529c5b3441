import { ofFunction } from "../../bench/judgement/answers/asking.ts";
import { figuresOf, judged } from "../../bench/judgement/answers/score.ts";
import { setOf, type SetName } from "../../bench/judgement/answers/sets.ts";
import type { NumberedPassage } from "../../services/staff/passages.ts";
import { asked } from "../../services/staff/quoting/asking.ts";
import { closest, extracted } from "../../services/staff/quoting/extracting.ts";

// What is quoted as an answer without a model: by what was asked, in other words than the record's, or nothing.

const sourcesOf = (texts: readonly string[], told: readonly string[] = []): NumberedPassage[] =>
  texts.map((text, at) => ({
    ...{ n: at + 1, type: "document", id: String(at), title: "", href: `/api/documents/${at}` },
    ...{ text, compartments: [], ...(told[at] && { told: told[at] }) },
  }));

const RECORDS = sourcesOf([
  "Power went out in the northern districts at 04:15. Around 18,000 customers are without supply.",
  "The night train from Lovik left the rails at Skarn. Nine passengers were hurt and the driver broke an arm.",
  "The hearing against the smugglers was adjourned until 12 May because the interpreter fell ill.",
  "In field 9 the dogs found eleven devices. Mine clearance in field 7 is complete.",
  "Our bowser visits the upper village at 9. It visits the lower village at 15. Each household gets 20 litres of water.",
  "Flight 212 to Malden was turned back with a cracked windscreen. It landed safely at 13:52. Nobody was harmed.",
  "The market at Dorn was shut by the police on Monday. Captain Rolf Asker goes on leave on 3 June.",
  "Harbour master Nils Ekdal closed the quay at Torv. Its sewer is repaired by Bode and Sons.",
]);

it.each([
  ["When did the electricity fail?", "at 04:15"],
  ["How many households are cut off from power?", "18,000"],
  ["Was anybody killed in the train accident?", "Nine passengers were hurt"],
  ["Why was the trial put off?", "because the interpreter fell ill"],
  ["When does the trial go on?", "until 12 May"],
  ["How many mines were found in field 9?", "eleven devices"],
  ["When does the water truck come to the lower village?", "at 15"],
  ["How much water does each family receive?", "20 litres"],
  ["Did flight 212 land safely?", "landed safely"],
  ["Who shut the quay at Torv?", "Nils Ekdal"],
])("finds in other words: %s", (question, answer) => {
  const lines = extracted(question, RECORDS).split("\n");
  expect(lines[0]).toContain(answer);
  expect(lines.length).toBeLessThanOrEqual(2);
});

it.each([
  ["How many mines were found in field 8?", "another number"],
  ["Who is the harbour master of Ystad?", "another place"],
  ["How many doctors work at the market at Dorn?", "another quantity"],
  ["How deep is the quay at Torv?", "a measure that is not told"],
  ["What is the name of the train driver?", "a name that is not told"],
  ["When does Captain Bergman go on leave?", "another person"],
  ["What does the cracked windscreen cost?", "money"],
])("quotes nothing as an answer: %s (%s)", (question) => {
  expect(extracted(question, RECORDS)).toBe("");
});

it("says of what else the sentence speaks that comes closest", () => {
  const question = "Who is the harbour master of Ystad?";
  expect(closest(question, RECORDS)).toBe(
    "Nothing that you may read says this of Ystad. What comes closest:\n" +
      "Harbour master Nils Ekdal closed the quay at Torv. [8]",
  );
  expect(closest("Did flight 212 land safely?", RECORDS)).toBe("");
});

it("tells what was told last where it is asked how things stand", () => {
  const told = ["2026-06-22T10:00:00.000Z", "2026-06-01T10:00:00.000Z"];
  const texts = ["The camp at Orm holds 410 people.", "The camp at Orm holds 96 people."];
  expect(extracted("How many people are in the camp at Orm now?", sourcesOf(texts, told))).toBe(`${texts[0]} [1]`);
  const later = sourcesOf(["Seventeen ships lay at anchor on Tuesday. By Thursday it was 29."]);
  expect(extracted("How many ships are at anchor now?", later)).toContain("it was 29");
});

it("tells what was done where it is asked what was done, and what is planned where that is asked", () => {
  const sources = sourcesOf([
    "300 families should be moved to the plateau.",
    "212 families were moved to the plateau.",
  ]);
  expect(extracted("How many families were actually moved to the plateau?", sources)).toMatch(/^212[^\n]*$/);
  expect(extracted("How many families should be moved to the plateau?", sources)).toMatch(/^300/);
});

it("quotes a sentence with the one that it leans on", () => {
  const sources = sourcesOf(["A brown bag lay below the stage. It belonged to the drummer."]);
  expect(extracted("To whom did the bag belong?", sources)).toBe(
    "A brown bag lay below the stage. It belonged to the drummer. [1]",
  );
});

it("goes on from a question before: what it asks for is asked of something else", () => {
  const before = "How many beds are free at Lipno?";
  const sources = sourcesOf(["At Lipno eleven beds are free.", "At Brod four beds are free. Its head is Dr Ana Reis."]);
  const on = (said: string): string => extracted(`${before} ${said}`, sources, said);
  expect(on("What about Brod?")).toBe("At Brod four beds are free. [2]");
  expect(asked(`${before} And who leads it?`, "And who leads it?").wanted).toBe("person");
});

it.each<[string, string]>([
  ["How often is the pump checked?", "frequency"],
  ["Is it known when the ferry runs?", "time"],
  ["Was anybody hurt when the roof fell?", "state"],
  ["What is the cause of the fire?", "reason"],
  ["Where do people go who lost their home?", "place"],
  ["Fuel at Brod?", "thing"],
  ["What do we know about the bridge?", "all"],
])("reads what is asked for: %s", (question, wanted) => {
  expect(asked(question).wanted).toBe(wanted);
});

it.each([
  [
    "Where were the calves taken?",
    ["The calves stood in the yard.", "At dusk the calves were driven to Marten farm."],
    1,
  ],
  ["Which way is the smoke moving?", ["The smoke hides the church.", "By now the smoke is moving north-west."], 1],
  [
    "What was in the crate?",
    ["A crate was left at the gate on Monday.", "The crate contained two pumps and a hose."],
    1,
  ],
  ["When will the lift run again?", ["The lift broke at 07:10.", "The lift should run on Friday."], 1],
  ["To whom does the tent belong?", ["The tent was torn near Vosk.", "The tent belongs to the scouts."], 1],
  ["How long is the trench now?", ["The trench is dry.", "The trench measures 300 metres."], 1],
  [
    "How many wagons arrived on Tuesday morning?",
    ["40 wagons arrived on Tuesday at 19:20.", "31 wagons arrived on Tuesday at 09:30."],
    1,
  ],
  ["Was the ferry late at half past six?", ["14:00. The ferry is on time.", "18:30. The ferry is late."], 1],
])("reads what kind of answer is meant: %s", (question, texts, answer) => {
  expect(extracted(question, sourcesOf(texts)).split("\n")[0]).toContain(texts[answer]!.split(". ").at(-1));
});

it.each([
  ["When will they inspect Oak Tower?", "The engineers inspect Elm Tower on Thursday.", "another of its kind"],
  ["Who commands B Company?", "A Company leaves on 3 May and B Company stays.", "nobody"],
  ["How many off-duty teachers came?", "Twelve off-duty drivers came.", "others that are counted"],
  ["How many people died in Vosk?", "In Vosk a bridge fell. In all 40 people died.", "all places together"],
  ["Where can guests go?", "Guests must not go to the cellar.", "where not"],
  ["Why is Bergman away?", "Bergman is away from 3 May.", "no reason"],
])("tells nothing as an answer: %s (%s: %s)", (question, text) => {
  expect(extracted(question, sourcesOf([text]))).toBe("");
});

it("tells what speaks of most that was asked where nothing else comes near, and else only that it comes closest", () => {
  const question = "How many barrels were unloaded before the inspection?";
  const [right, other] = ["We unloaded 60 barrels.", "They unloaded 75 barrels."];
  expect(extracted(question, sourcesOf([right]))).toContain("60 barrels");
  expect(extracted(question, sourcesOf([right, other]))).toBe("");
  expect(closest(question, sourcesOf([right, other]))).toMatch(/^Nothing that you may read answers this for certain/);
});

it.each<[SetName, Partial<ReturnType<typeof figuresOf>>]>([
  ["stranger", { any: 0.8, cited: 0.84, labelled: 0.8, silent: 0.86 }],
  ["second", { any: 0.64, cited: 0.66, labelled: 0.72, silent: 0.86 }],
  ["third", { any: 0.56, cited: 0.58, labelled: 0.62, silent: 0.73 }],
  ["fourth", { any: 0.77, cited: 0.77, labelled: 0.84, silent: 0.6 }],
])("judges a labelled set as well as when it was measured: %s", async (name, floors) => {
  const figures = figuresOf(await judged(name, ofFunction(setOf(name))));
  for (const [figure, floor] of Object.entries(floors))
    expect([figure, figures[figure as keyof typeof figures] >= floor]).toEqual([figure, true]);
});

const ORDERS = sourcesOf([
  "Priority intelligence requirement 1: Where are the sea mines of the Front stored?",
  "Does Tarsk move submarines to Ras Daran? The navy of Tarsk has three submarines at Port Velin.",
  "Insurers raised the war-risk premium to 0.6 percent of hull value.",
  "Reduce the war-risk premium to 0.15 percent of hull value by 31 December 2027.",
  "Blocking assumption of the plan, accepted: Tarsk lays no mines before April.",
  "Assumption of the plan, open: The winter storms end before 10 March.",
  "The port keeps berth 2 free for coalition ships, and handles twenty lorries a day.",
  "A convoy is expected at the depot in Karsk on Monday.",
]);
it.each([
  ["a question answers none", "Where does the Front store its sea mines?", ""],
  ["a question counts nothing", "How many submarines has Tarsk?", "The navy of Tarsk has three submarines"],
  ["what is to be reached is not how things stand", "What is the current war-risk premium?", "Insurers raised"],
  ["what is so answers nothing about what is not", "Which assumptions are not accepted yet?", ""],
  ["the number of a berth counts no ships", "How many ships sank last week?", ""],
  ["where something is expected it is not", "Where is the convoy?", ""],
])("tells apart: %s", (_what, question, answer) => {
  const lines = extracted(question, ORDERS).split("\n");
  expect(lines).toHaveLength(1);
  expect(lines[0]!.startsWith(answer)).toBe(true);
  if (answer === "") expect(lines[0]).toBe("");
});

it("what some did who are counted must be spoken of", () => {
  const texts = [
    "Call from Northgate: theatres closed, and eleven ventilated patients will have to go to St Brigid's.",
  ];
  expect(extracted("How many patients died at Northgate?", sourcesOf(texts))).toBe("");
});

it("what was asked is told to whoever asks for it", () => {
  expect(extracted("Which priority intelligence requirements are there?", ORDERS)).toContain("Where are the sea mines");
});
