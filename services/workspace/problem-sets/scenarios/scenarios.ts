import { z } from "zod";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { entity, TextId, type Item } from "../../../../core/records/entity.ts";
import { event } from "../../../../core/events/event.ts";
import { barrier, Compartments } from "../../../../core/access/place.ts";
import { byText } from "../../../../core/work/turns.ts";
import disinformation from "../../../../data/scenarios/election-disinformation.json" with { type: "json" };
import flood from "../../../../data/scenarios/river-flood.json" with { type: "json" };
import strait from "../../../../data/scenarios/contested-strait.json" with { type: "json" };
import { ReferenceDocument, ReferenceResource, Scenario } from "./package.ts";

/** The packages that come with the platform, by id. */
export const BUNDLED: ReadonlyMap<string, Scenario> = new Map(
  [flood, strait, disinformation].map((text) => Scenario.parse(text)).map((scenario) => [scenario.id, scenario]),
);

const about = { scenarioId: z.string(), version: z.string(), name: z.string(), summary: z.string() };

/** One scenario a set, under the set's own id. */
export const LinkedScenario = entity("problem-sets.linked-scenarios", {
  title: "linked scenario",
  collection: "linked_scenarios",
  fields: {
    ...about,
    built: z.boolean().describe("Whether the set was built from it; otherwise it was attached later."),
  },
  barrier: { set: "id" },
});
export type LinkedScenario = Item<typeof LinkedScenario>;

/** A reference document or resource of a set's scenario: as secret as the compartments it lies in. */
export const Material = entity("problem-sets.scenario-materials", {
  title: "scenario material",
  collection: "scenario_materials",
  fields: {
    problemSetId: TextId,
    compartments: Compartments,
    kind: z.enum(["document", "resource"]),
    document: z.strictObject(ReferenceDocument.shape).omit({ key: true, compartments: true }).optional(),
    resource: z.strictObject(ReferenceResource.shape).omit({ key: true, compartments: true }).optional(),
  },
  immutable: ["problemSetId", "compartments"],
  barrier,
  indexes: [{ fields: ["problemSetId", "createdAt"] }],
});
export type Material = Item<typeof Material>;

const kept = { id: z.string(), compartments: z.array(z.string()) };
export const LinkedScenarioView = LinkedScenario.view
  .pick({ scenarioId: true, version: true, name: true, summary: true, built: true })
  .extend({
    linkedAt: z.string(),
    linkedBy: PersonId,
    documents: z
      .array(Material.record.shape.document.unwrap().extend(kept))
      .describe("Reference texts that you may see."),
    resources: z
      .array(Material.record.shape.resource.unwrap().extend(kept))
      .describe("What is available, as far as you may see it."),
  })
  .meta({ id: "LinkedScenario" });

export const scenarioView = (
  { createdAt, createdBy, ...link }: LinkedScenario,
  materials: readonly Material[],
): z.output<typeof LinkedScenarioView> => ({
  ...link,
  linkedAt: createdAt,
  linkedBy: createdBy,
  documents: materials.flatMap(({ id, compartments, document }) =>
    document ? [{ id, compartments, ...document }] : [],
  ),
  resources: materials.flatMap(({ id, compartments, resource }) =>
    resource ? [{ id, compartments, ...resource }] : [],
  ),
});

export const ScenarioLinked = event(
  "workspace.scenario.linked",
  z.object({ problemSetId: TextId, by: z.string(), scenarioId: z.string(), name: z.string(), built: z.boolean() }),
  {
    activity: {
      words: ({ name, built }) =>
        built ? `The problem set was built from the scenario "${name}".` : `The scenario "${name}" was attached.`,
    },
  },
);

/** Most packages of their own that somebody is listed: those that most sets use. */
export const MOST_OWN = 100;

export interface ScenarioUse {
  scenarioId: string;
  name: string;
  sets: number;
}

/** What is told of the use of scenarios, the bundled ones always among them, in the order of their ids. */
export function usageOf(uses: readonly ScenarioUse[]): {
  rows: { scenarioId: string; name: string; bundled: boolean; sets: number }[];
  more: boolean;
} {
  const [bundled, own] = [true, false].map((is) => uses.filter(({ scenarioId }) => BUNDLED.has(scenarioId) === is));
  const counts = new Map(bundled!.map(({ scenarioId, sets }) => [scenarioId, sets]));
  const rows = [
    ...[...BUNDLED.values()].map(({ id, name }) => ({ scenarioId: id, name, sets: counts.get(id) ?? 0 })),
    ...own!
      .toSorted((one, other) => other.sets - one.sets || byText(one.scenarioId, other.scenarioId))
      .slice(0, MOST_OWN),
  ];
  return {
    rows: rows
      .map((row) => ({ ...row, bundled: BUNDLED.has(row.scenarioId) }))
      .sort((one, other) => byText(one.scenarioId, other.scenarioId)),
    more: own!.length > MOST_OWN,
  };
}
