import { z } from "zod";
import { newUnit, RELATIONSHIPS } from "../../command/client.ts";
import { ConfigChange, newDao, newDaoRole } from "../../dao/client.ts";
import { newGate } from "../../gates/client.ts";
import { newDirection } from "../../inheritance/client.ts";
import { newAssumption, newPhaseGate, PHASES } from "../../mdmp/client.ts";
import { newMission } from "../../missions/client.ts";
import { Compartment } from "../compartments/compartments.ts";
import { PhaseMappings, Position } from "../positions/positions.ts";
import { ProblemSet } from "../sets/sets.ts";

const Key = z.string().regex(/^[a-z][a-z0-9-]{0,59}$/, "Lower-case words with hyphens, at most 60 characters.");
const key = Key.describe("Names it within the package, unique among its kind.");
const compartments = z.array(Key).max(20).default([]).describe("Keys of the compartments it lies in.");
const days = z.number().min(-3_650).max(3_650).optional();

const WantedCompartment = z.strictObject({
  key,
  name: Compartment.create.name,
  description: Compartment.create.description,
  wants: z
    .array(Position.create.title)
    .max(50)
    .default([])
    .describe("Titles of the positions whose holders should be read in. Building reads nobody in."),
});
const StaffPosition = z.strictObject({
  title: Position.create.title,
  abbreviation: Position.create.abbreviation,
  description: Position.create.description,
  phases: PhaseMappings.default([]),
});
const LaidDown = z.strictObject({
  kind: newDirection.kind,
  title: newDirection.title,
  text: newDirection.text,
  compartments,
});
const PhaseCondition = z.strictObject({
  phase: newPhaseGate.phase,
  name: newPhaseGate.name,
  criteria: newPhaseGate.criteria,
  required: newPhaseGate.required,
});
const Assumed = z.strictObject({
  statement: newAssumption.statement,
  rationale: newAssumption.rationale,
  confirmBy: newAssumption.confirmBy,
  blocking: newAssumption.blocking,
});
const Process = z
  .strictObject({
    gates: z.array(PhaseCondition).max(50).default([]),
    assumptions: z.array(Assumed).max(50).default([]),
  })
  .describe("Its decision process, begun at receipt of mission.");
const ToDo = z.strictObject({
  key,
  name: newMission.name,
  description: newMission.description,
  objective: newMission.objective,
  compartments,
  startsInDays: days.describe("Counted from the building; negative for the past."),
  endsInDays: days,
  process: Process.optional(),
});
const Formation = z.strictObject({
  key,
  name: newUnit.name,
  designation: newUnit.designation,
  echelon: newUnit.echelon,
  kind: newUnit.kind,
  location: newUnit.location,
  strength: newUnit.strength,
  compartments,
});
const Command = z.strictObject({
  superior: Key,
  subordinate: Key,
  kind: z.enum(RELATIONSHIPS),
  mission: Key.optional().describe("Key of the mission it holds in; standing without one."),
  fromDays: days,
  untilDays: days,
  note: z.string().max(2_000).optional(),
  compartments,
});
const Checkpoint = z.strictObject({
  tab: newGate.tab,
  name: newGate.name,
  description: newGate.description,
  enforcement: newGate.enforcement,
  approvers: newGate.approvers,
  onDeadline: newGate.onDeadline,
  deadlineInHours: z.number().min(1).max(87_600).optional().describe("Counted from the building."),
  guards: z
    .strictObject({
      mission: Key,
      phase: z
        .enum(PHASES)
        .optional()
        .describe("The phase that cannot be left before the gate is approved; every phase when absent."),
    })
    .optional(),
  compartments,
});
const Body = z.strictObject({
  key,
  name: newDao.name,
  description: newDao.description,
  compartments,
  config: ConfigChange.default({}),
  roles: z
    .array(
      z.strictObject({
        name: newDaoRole.name,
        description: newDaoRole.description,
        weight: newDaoRole.weight,
        allows: newDaoRole.allows,
      }),
    )
    .max(20)
    .default([]),
});
export const ReferenceDocument = z.strictObject({
  key,
  title: z.string().trim().min(1).max(200),
  kind: z.enum(["brief", "map-note", "order", "agreement", "report", "list"]).default("brief"),
  text: z.string().trim().min(1).max(10_000),
  compartments,
});
export const ReferenceResource = z.strictObject({
  key,
  name: z.string().trim().min(1).max(200),
  kind: z.enum(["personnel", "equipment", "vehicle", "vessel", "aircraft", "facility", "supply", "fund"]),
  quantity: z.number().min(0).max(1e12),
  unit: z.string().min(1).max(40).describe("What is counted: boats, tonnes, EUR."),
  place: z.string().max(200).optional(),
  note: z.string().max(2_000).optional(),
  compartments,
});
export type ReferenceResource = z.output<typeof ReferenceResource>;

const Shape = z.strictObject({
  id: Key.describe("Names the scenario wherever it is used."),
  version: z
    .string()
    .regex(/^\d{1,4}\.\d{1,4}$/, "As in 1.0.")
    .default("1.0"),
  name: z.string().trim().min(1).max(200),
  summary: z.string().trim().min(1).max(1_000),
  tags: z.array(Key).max(20).default([]),
  set: z
    .strictObject({ name: ProblemSet.create.name, description: ProblemSet.create.description })
    .describe("The problem set that is opened."),
  compartments: z.array(WantedCompartment).max(20).default([]),
  positions: z.array(StaffPosition).max(60).default([]),
  directions: z.array(LaidDown).max(60).default([]).describe("Intent, objectives and constraints."),
  missions: z.array(ToDo).max(20).default([]),
  units: z.array(Formation).max(200).default([]),
  relationships: z.array(Command).max(400).default([]),
  gates: z.array(Checkpoint).max(60).default([]),
  daos: z.array(Body).max(10).default([]),
  documents: z
    .array(ReferenceDocument)
    .max(40)
    .default([])
    .describe("Reference texts, which become documents of the set."),
  resources: z
    .array(ReferenceResource)
    .max(100)
    .default([])
    .describe("What there is to work with: it becomes resources of the set, and supplies and funds consumables."),
});
type Shape = z.output<typeof Shape>;

/** A scenario package: everything a problem set begins with, its parts named by keys. */
export const Scenario = Shape.superRefine((scenario, context) => {
  for (const { path, message } of faultsOf(scenario)) context.addIssue({ code: "custom", path, message });
}).meta({ id: "Scenario" });
export type Scenario = z.output<typeof Scenario>;

interface Fault {
  path: (string | number)[];
  message: string;
}
const PLACED = ["directions", "missions", "units", "relationships", "gates", "daos", "documents", "resources"] as const;
const NAMED = {
  compartments: "key",
  missions: "key",
  units: "key",
  daos: "key",
  documents: "key",
  resources: "key",
  positions: "title",
} as const;

/** What the schema cannot say: names are unique, and every reference names something that exists. */
function faultsOf(scenario: Shape): Fault[] {
  const faults: Fault[] = [];
  const say = (message: string, ...path: (string | number)[]): void => void faults.push({ path, message });
  const names = Object.fromEntries(
    Object.entries(NAMED).map(([kind, field]) => [
      kind,
      (scenario[kind as keyof typeof NAMED] as Record<string, unknown>[]).map((one) => one[field] as string),
    ]),
  ) as Record<keyof typeof NAMED, string[]>;
  for (const [kind, field] of Object.entries(NAMED))
    names[kind as keyof typeof NAMED].forEach((name, at, all) => {
      if (all.indexOf(name) !== at) say(`Another of the ${kind} is named ${name}.`, kind, at, field);
    });
  const known = (kind: keyof typeof NAMED, name: string | undefined, ...path: (string | number)[]): void => {
    if (name !== undefined && !names[kind].includes(name))
      say(`There is no ${name} among the ${kind} of the package.`, ...path);
  };
  for (const kind of PLACED)
    scenario[kind].forEach((one, at) =>
      one.compartments.forEach((name, n) => known("compartments", name, kind, at, "compartments", n)),
    );
  scenario.compartments.forEach(({ wants }, at) =>
    wants.forEach((title, n) => known("positions", title, "compartments", at, "wants", n)),
  );
  scenario.missions.forEach(({ startsInDays, endsInDays }, at) => {
    if (startsInDays !== undefined && endsInDays !== undefined && endsInDays <= startsInDays)
      say("A mission ends after it begins.", "missions", at, "endsInDays");
  });
  scenario.relationships.forEach(({ superior, subordinate, mission, fromDays, untilDays }, at) => {
    known("units", superior, "relationships", at, "superior");
    known("units", subordinate, "relationships", at, "subordinate");
    known("missions", mission, "relationships", at, "mission");
    if (superior === subordinate) say("No unit commands itself.", "relationships", at, "subordinate");
    if (fromDays !== undefined && untilDays !== undefined && untilDays <= fromDays)
      say("A relationship ends after it begins.", "relationships", at, "untilDays");
  });
  scenario.gates.forEach(({ guards, compartments: own }, at) => {
    known("missions", guards?.mission, "gates", at, "guards", "mission");
    const mission = scenario.missions.find((one) => one.key === guards?.mission);
    if (mission && own.some((name) => !mission.compartments.includes(name)))
      say(
        "The gate would lie in a compartment that the mission it guards does not lie in.",
        "gates",
        at,
        "compartments",
      );
  });
  return faults;
}

/** The published JSON Schema of packages, as they are sent. */
export const SCENARIO_SCHEMA = z.toJSONSchema(Scenario, { target: "draft-2020-12", io: "input" }) as Record<
  string,
  unknown
>;
