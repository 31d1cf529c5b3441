import { iso } from "../../../../core/clock.ts";
import type { ReferenceResource, Scenario } from "./package.ts";

export const BUILD_STAGES = [
  "set",
  "compartments",
  "positions",
  "directions",
  "missions",
  "process",
  "units",
  "relationships",
  "gates",
  "daos",
  "materials",
] as const;
export type BuildStage = (typeof BUILD_STAGES)[number];

/** Stages that follow upon one another; those beside them ask for nothing that these make. */
const WAVES: readonly (readonly (readonly BuildStage[])[])[] = [
  [["set", "compartments"]],
  [["positions"], ["directions"], ["missions", "process"], ["units"], ["daos"], ["materials"]],
  [["relationships"], ["gates"]],
];

/**
 * The steps of a plan in waves of chains. A chain keeps the order of the package, which lists show; chains of one wave
 * run side by side.
 */
export const wavesOf = (steps: readonly BuildStep[]): BuildStep[][][] =>
  WAVES.map((chains) => chains.map((stages) => steps.filter(({ stage }) => stages.includes(stage))));

/** What is made so far: ids by the keys of the package; and the present in epoch milliseconds. */
export interface Made {
  ids: Readonly<Record<string, string>>;
  now: number;
}

/** One call of a domain's action. */
export interface BuildStep {
  /** Unique in the plan; the id of what it makes is kept under it. */
  key: string;
  stage: BuildStage;
  action: string;
  params(made: Made): Record<string, unknown>;
  /** There can be one only: a 409 tells that it was made before. */
  single?: true;
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** Without the fields that are undefined. */
const given = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
const inDays = (now: number, days: number | undefined): string | undefined =>
  days === undefined ? undefined : iso(now + days * DAY_MS);

const compartmentsOf = ({ ids }: Made, keys: readonly string[]): string[] =>
  keys.map((key) => ids[`compartment/${key}`]!);
/** Where a record of the scenario lies. */
const place = (made: Made, keys: readonly string[]) => ({
  problemSetId: made.ids["set"],
  compartments: compartmentsOf(made, keys),
});

/** All of a scenario as steps in order; the same package always gives the same plan. */
export const planOf = (
  scenario: Scenario,
  about: { name?: string | undefined; parentId?: string | undefined } = {},
): BuildStep[] => [
  ...setSteps(scenario, about),
  ...missionSteps(scenario),
  ...commandSteps(scenario),
  ...gateSteps(scenario),
  ...daoSteps(scenario),
  ...materialSteps(scenario),
];

/** The problem set itself, with its compartments, positions and directions. */
const setSteps = (
  scenario: Scenario,
  { name, parentId }: { name?: string | undefined; parentId?: string | undefined },
): BuildStep[] => [
  {
    key: "set",
    stage: "set",
    action: "problem-sets.create",
    params: () => given({ ...scenario.set, ...(name && { name }), parentId }),
  },
  {
    key: "link",
    stage: "set",
    action: "problem-sets.scenarios.link",
    params: ({ ids }) => ({ problemSetId: ids["set"], ...aboutOf(scenario), built: true }),
  },
  ...scenario.compartments.map(({ key, wants: _wants, ...fields }): BuildStep => ({
    key: `compartment/${key}`,
    stage: "compartments",
    action: "problem-sets.compartments.create",
    params: ({ ids }) => ({ id: ids["set"], ...given(fields) }),
  })),
  ...scenario.positions.map((fields, at): BuildStep => ({
    key: `position/${at}`,
    stage: "positions",
    action: "problem-sets.positions.create",
    params: ({ ids }) => ({ id: ids["set"], ...given(fields) }),
  })),
  ...scenario.directions.map(({ compartments, ...fields }, at): BuildStep => ({
    key: `direction/${at}`,
    stage: "directions",
    action: "inheritance.directions.create",
    params: (made) => ({ ...place(made, compartments), ...fields }),
  })),
];

const missionSteps = (scenario: Scenario): BuildStep[] => [
  ...scenario.missions.flatMap(({ key, compartments, startsInDays, endsInDays, process, ...fields }): BuildStep[] => [
    {
      key: `mission/${key}`,
      stage: "missions",
      action: "missions.create",
      params: (made) =>
        given({
          ...place(made, compartments),
          ...fields,
          startsAt: inDays(made.now, startsInDays),
          endsAt: inDays(made.now, endsInDays),
        }),
    },
    ...(process ? processOf(key, process) : []),
  ]),
];

/** Units, and relationships between them. */
const commandSteps = (scenario: Scenario): BuildStep[] => [
  ...scenario.units.map(({ key, compartments, ...fields }): BuildStep => ({
    key: `unit/${key}`,
    stage: "units",
    action: "command.units.create",
    params: (made) => given({ ...place(made, compartments), ...fields }),
  })),
  ...scenario.relationships.map(
    ({ superior, subordinate, mission, fromDays, untilDays, compartments, ...fields }, at): BuildStep => ({
      key: `relationship/${at}`,
      stage: "relationships",
      action: "command.relationships.create",
      params: (made) =>
        given({
          ...place(made, compartments),
          ...fields,
          superiorId: made.ids[`unit/${superior}`],
          subordinateId: made.ids[`unit/${subordinate}`],
          missionId: mission && made.ids[`mission/${mission}`],
          from: inDays(made.now, fromDays),
          until: inDays(made.now, untilDays),
        }),
    }),
  ),
];

const gateSteps = (scenario: Scenario): BuildStep[] => [
  ...scenario.gates.map(({ guards, deadlineInHours, compartments, ...fields }, at): BuildStep => ({
    key: `gate/${at}`,
    stage: "gates",
    action: "gates.create",
    params: (made) =>
      given({
        ...place(made, compartments),
        ...fields,
        deadline: deadlineInHours && iso(made.now + deadlineInHours * HOUR_MS),
        guards:
          guards &&
          given({ kind: "mdmp-transition", subject: made.ids[`mission/${guards.mission}`], step: guards.phase }),
      }),
  })),
];

const daoSteps = (scenario: Scenario): BuildStep[] => [
  ...scenario.daos.flatMap(({ key, compartments, roles, ...fields }): BuildStep[] => [
    {
      key: `dao/${key}`,
      stage: "daos",
      action: "dao.create",
      params: (made) => ({ ...place(made, compartments), ...fields }),
    },
    ...roles.map((role, at): BuildStep => ({
      key: `dao/${key}/role/${at}`,
      stage: "daos",
      action: "dao.roles.create",
      params: ({ ids }) => ({ daoId: ids[`dao/${key}`], ...role }),
    })),
  ]),
];

const materialSteps = (scenario: Scenario): BuildStep[] => [
  ...materialsOf(scenario).map(({ key, compartments, ...fields }): BuildStep => ({
    key,
    stage: "materials",
    action: "problem-sets.scenarios.keep",
    params: (made) => ({ ...place(made, compartments), ...fields }),
  })),
  // What a plan is made from is read, cited and searched as any other document.
  ...scenario.documents.map(({ key, compartments, title, kind, text }): BuildStep => ({
    key: `document/${key}/text`,
    stage: "materials",
    action: "documents.deposit",
    params: (made) => ({
      ...place(made, compartments),
      ...{ title, text, fileName: `${key}.txt` },
      description: `Reference text of the scenario (${kind}).`,
    }),
  })),
  ...scenario.resources.map(({ key, compartments, ...resource }): BuildStep => {
    const { action, fields } = registered(resource);
    return {
      key: `resource/${key}/record`,
      stage: "materials",
      action,
      params: (made) => ({ ...place(made, compartments), ...fields }),
    };
  }),
];

/** What the register calls the kinds of a package; what is used up is a stock there. */
const REGISTERED_AS = {
  ...{ equipment: "equipment", vehicle: "vehicle", vessel: "vessel", aircraft: "aircraft", facility: "facility" },
  personnel: "team",
  ...{ supply: "stock", fund: "stock" },
} as const;

/** What there is to work with as the register has it: something that is ready or not, or a stock with its level. */
function registered({ name, kind, quantity, unit, place, note }: Omit<ReferenceResource, "key" | "compartments">) {
  const about = [place && `${place}.`, note].filter(Boolean).join(" ");
  const as = REGISTERED_AS[kind];
  return as === "stock"
    ? {
        action: "resources.consumables.create",
        fields: given({ name, unit, level: quantity, description: about || undefined }),
      }
    : {
        action: "resources.create",
        fields: { name, kind: as, description: [`${quantity} ${unit}.`, about].filter(Boolean).join(" ") },
      };
}

function processOf(
  key: string,
  { gates, assumptions }: NonNullable<Scenario["missions"][number]["process"]>,
): BuildStep[] {
  const missionId = ({ ids }: Made): string => ids[`mission/${key}`]!;
  return [
    {
      key: `process/${key}`,
      stage: "process",
      action: "mdmp.workflows.start",
      single: true,
      params: (made) => ({ missionId: missionId(made) }),
    },
    ...(gates.length
      ? [
          {
            key: `process/${key}/gates`,
            stage: "process" as const,
            action: "mdmp.gates.register",
            params: (made: Made) => ({ missionId: missionId(made), gates: gates.map(given) }),
          },
        ]
      : []),
    ...assumptions.map((assumption, at): BuildStep => ({
      key: `process/${key}/assumption/${at}`,
      stage: "process",
      action: "mdmp.assumptions.create",
      params: (made) => ({ missionId: missionId(made), ...given(assumption) }),
    })),
  ];
}

/** What a link tells of its scenario. */
export const aboutOf = ({ id, version, name, summary }: Scenario) => ({ scenarioId: id, version, name, summary });

/**
 * Documents and resources of a package in the one form they are kept in; compartments are still keys of the package.
 */
export const materialsOf = ({ documents, resources }: Pick<Scenario, "documents" | "resources">) => [
  ...documents.map(({ key, compartments, ...document }) => ({
    key: `document/${key}`,
    compartments,
    kind: "document" as const,
    document,
  })),
  ...resources.map(({ key, compartments, ...resource }) => ({
    key: `resource/${key}`,
    compartments,
    kind: "resource" as const,
    resource: given(resource),
  })),
];

/** How many of each stage a package makes. */
export function countsOf(scenario: Scenario): Record<Exclude<BuildStage, "set" | "process">, number> {
  const { compartments, positions, directions, missions, units, relationships, gates, daos, documents, resources } =
    scenario;
  const counts = { compartments, positions, directions, missions, units, relationships, gates, daos };
  return {
    ...Object.fromEntries(Object.entries(counts).map(([kind, rows]) => [kind, rows.length])),
    materials: documents.length + resources.length,
  } as ReturnType<typeof countsOf>;
}
