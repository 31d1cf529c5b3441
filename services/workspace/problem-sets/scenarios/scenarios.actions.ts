import { z } from "zod";
import { bare, data, list } from "../../../../core/contract/answer.ts";
import { actorOf, asSystem } from "../../../../core/access/caller.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { TextId, textId } from "../../../../core/records/entity.ts";
import { conflict, invalid, notFound } from "../../../../core/problem.ts";
import { BUILD, BuildView, Built, builtOf, undertake, buildView } from "./build.ts";
import { Scenario, SCENARIO_SCHEMA } from "./package.ts";
import { aboutOf, countsOf, materialsOf, BUILD_STAGES } from "./plan.ts";
import {
  BUNDLED,
  LinkedScenario,
  LinkedScenarioView,
  Material,
  MOST_OWN,
  ScenarioLinked,
  scenarioView,
  usageOf,
} from "./scenarios.ts";

const PACKAGE_BYTES = 2 * 2 ** 20;
/** Exactly one of the two. */
const chosen = {
  scenarioId: TextId.optional().describe("Id of a bundled scenario."),
  scenario: Scenario.optional().describe(
    "A package of your own, by the schema at `/api/problem-sets/scenario-schema`.",
  ),
};
const KEPT =
  "Its reference texts become documents of the set (`/api/documents`), its resources join the set's " +
  "(`/api/resources`), supplies and funds its consumables, all behind the same compartments; they are also kept " +
  "unchanged with the linked scenario.";

const Row = z
  .object({
    id: z.string(),
    version: z.string(),
    name: z.string(),
    summary: z.string(),
    tags: z.array(z.string()),
    parts: z.record(z.enum(BUILD_STAGES).exclude(["set", "process"]), z.int()),
  })
  .meta({ id: "BundledScenario" });
const Usage = z.object({ scenarioId: z.string(), name: z.string(), bundled: z.boolean(), sets: z.int() });

function scenarioIn({
  scenarioId,
  scenario,
}: {
  scenarioId?: string | undefined;
  scenario?: Scenario | undefined;
}): Scenario {
  if ((scenarioId === undefined) === (scenario === undefined))
    throw invalid([
      { path: "scenarioId", message: "Send the id of a bundled scenario or a package as `scenario`, one of them." },
    ]);
  const found = scenario ?? BUNDLED.get(scenarioId!);
  if (!found)
    throw invalid([
      {
        path: "scenarioId",
        message: `There is no such bundled scenario; there are ${[...BUNDLED.keys()].join(", ")}.`,
      },
    ]);
  return found;
}

/** What problem sets begin with. */
export const scenarioActions = {
  "scenarios.build": endpoint({
    rest: "POST /from-scenario",
    summary: "Open a problem set built from a scenario package",
    permit: "signed-in",
    within: { set: "parentId", may: "set:edit" },
    bodyLimit: PACKAGE_BYTES,
    description:
      "You become its commander. What the package puts into compartments is created, but not visible to you: it " +
      `reads nobody in, and \`compartments\` says which need members. ${KEPT} It is built in the background and ` +
      "continues after a restart: if it is ready within two thirds of `REQUEST_TIMEOUT_MS`, the answer is 201, " +
      "otherwise 202 with its `job`.",
    body: {
      ...chosen,
      name: Scenario.shape.set.shape.name.optional().describe("Instead of the package's name of the set."),
      parentId: TextId.optional().describe("A set that you may edit, as its parent."),
    },
    returns: data(z.union([Built, BuildView])),
    status: 201,
    accepted: (value) => !("made" in value),
    example: { scenarioId: "river-flood" },
    errors: {
      422: "A rule of a domain refuses a part of the package (`SCENARIO_REJECTED`); what was built is in the archive.",
    },
    handler(ctx) {
      const { name, parentId } = ctx.params;
      return undertake(this, ctx, {
        scenario: scenarioIn(ctx.params),
        userId: actorOf(ctx),
        training: ctx.meta.actor?.mode === "training",
        ...(name && { name }),
        ...(parentId && { parentId }),
      });
    },
  }),

  "scenarios.getProgress": endpoint({
    rest: "GET /scenario-builds/:job",
    summary: "Read the progress of building a scenario, and what was built",
    permit: "signed-in",
    beyond: true,
    path: { job: textId(200).describe("`job` of the answer that began it.") },
    description: "Visible to whoever requested it, while they are a member of the set.",
    returns: data(BuildView.extend({ result: Built.nullable() }).meta({ id: "ScenarioBuildResult" })),
    async handler(ctx) {
      const job = await this.jobs.get(ctx.params.job);
      if (job?.kind !== BUILD || job.by !== actorOf(ctx)) throw notFound("building of a scenario", ctx.params.job);
      const view = buildView(job);
      const result = builtOf(job);
      if (result && !ctx.meta.actor?.memberships?.[result.problemSetId])
        throw notFound("building of a scenario", ctx.params.job);
      return { ...view, result };
    },
  }),

  "scenarios.getSchema": endpoint({
    rest: "GET /scenario-schema",
    summary: "Read the JSON Schema of scenario packages",
    permit: "signed-in",
    beyond: true,
    cacheSeconds: 3_600,
    returns: bare(z.record(z.string(), z.unknown())),
    handler: () => SCENARIO_SCHEMA,
  }),

  "scenarios.list": endpoint({
    rest: "GET /scenarios",
    summary: "List the scenarios that ship with the platform",
    permit: "signed-in",
    beyond: true,
    cacheSeconds: 3_600,
    returns: list(Row, z.object({ total: z.int() })),
    handler: () => ({
      data: [...BUNDLED.values()].map((scenario) => ({ ...scenario, parts: countsOf(scenario) })),
      meta: { total: BUNDLED.size },
    }),
  }),

  "scenarios.get": endpoint({
    rest: "GET /scenarios/:scenarioId",
    summary: "Read a whole scenario that ships with the platform",
    permit: "signed-in",
    beyond: true,
    path: { scenarioId: TextId },
    cacheSeconds: 3_600,
    returns: data(Scenario),
    description:
      "A starting point for a package of your own. Bundled packages are not secret; what you put into " +
      "the compartments of your own package is visible only to those read in.",
    handler(ctx) {
      const found = BUNDLED.get(ctx.params.scenarioId);
      if (!found) throw notFound("bundled scenario", ctx.params.scenarioId);
      return found;
    },
  }),

  "scenarios.countUses": endpoint({
    rest: "GET /scenario-usage-counts",
    summary: "Count the problem sets that use each scenario",
    permit: "signed-in",
    returns: list(
      Usage,
      z.object({
        total: z.int().describe("Of your problem sets with a scenario."),
        more: z.literal(true).optional().describe("There are further packages of your own, used by fewer sets."),
      }),
    ),
    description:
      `Counts the problem sets that you are a member of, in your current mode; this includes ` +
      `administrators, since a count over other people's sets would reveal them. Lists all bundled ` +
      `scenarios, even with a count of 0, and the ${MOST_OWN} most used packages of your own.`,
    async handler(ctx) {
      const store = this.store(LinkedScenario);
      const groups = await store.collection.groups({
        query: store.within(ctx, {}),
        by: "scenarioId",
        min: { name: "name" },
      });
      const { rows, more } = usageOf(
        groups.map(({ key, count, name }) => ({ scenarioId: String(key), name: String(name), sets: count })),
      );
      const total = groups.reduce((sum, { count }) => sum + count, 0);
      return { data: rows, meta: { total, ...(more && { more }) } };
    },
  }),

  "scenarios.getLinked": endpoint({
    rest: "GET /:id/linked-scenario",
    summary: "Show the scenario of a problem set",
    permit: "signed-in",
    within: { set: "id", may: "set:read" },
    path: { id: TextId },
    description:
      "Null if it has none. Its reference texts and resources are kept as supplied; you see those that " +
      "your compartments allow.",
    returns: data(LinkedScenarioView.nullable()),
    async handler(ctx) {
      const { id } = ctx.params;
      const [link, materials] = await Promise.all([
        this.store(LinkedScenario).one(ctx, { _id: id }),
        this.store(Material).find(ctx, { problemSetId: id }, { sort: ["createdAt"] }),
      ]);
      return link && scenarioView(link, materials);
    },
  }),

  "scenarios.attach": endpoint({
    rest: "POST /:id/scenario",
    summary: "Attach a scenario to a problem set",
    permit: "signed-in",
    within: { set: "id", may: "set:edit" },
    path: { id: TextId },
    bodyLimit: PACKAGE_BYTES,
    body: chosen,
    description:
      "Attached for reference only: nothing is built. Documents and resources that its package puts " +
      "into compartments are left out, since the set has none of these compartments. It replaces a " +
      "scenario attached before.",
    returns: data(LinkedScenarioView),
    status: 201,
    errors: { 409: "The set was built from a scenario, which stays." },
    example: { scenarioId: "river-flood" },
    async handler(ctx) {
      const { id } = ctx.params;
      const scenario = scenarioIn(ctx.params);
      const links = this.store(LinkedScenario);
      const before = await links.one(ctx, { _id: id });
      if (before?.built) throw conflict("This problem set was built from a scenario, which stays its own.");
      const about = aboutOf(scenario);
      const facts = [
        ScenarioLinked.fact(id, {
          problemSetId: id,
          by: actorOf(ctx),
          scenarioId: about.scenarioId,
          name: about.name,
          built: false,
        }),
      ];
      const link = before
        ? await links.revise(ctx, before, about, { facts })
        : await links.create(ctx, { id, ...about, built: false }, { facts });
      return scenarioView(link, await replaceMaterials(this, ctx, id, scenario));
    },
  }),

  /** Ties a set to the scenario it is built from. */
  "scenarios.link": endpoint({
    summary: "Tie a problem set to the scenario it is built from",
    permit: "internal",
    body: { problemSetId: TextId, ...LinkedScenario.create },
    returns: data(LinkedScenario.view),
    handler(ctx) {
      const { problemSetId: id, ...link } = ctx.params;
      return this.store(LinkedScenario).create(
        ctx,
        { id, ...link },
        {
          facts: [
            ScenarioLinked.fact(id, {
              problemSetId: id,
              by: actorOf(ctx),
              scenarioId: link.scenarioId,
              name: link.name,
              built: true,
            }),
          ],
        },
      );
    },
  }),

  /** Keeps one reference document or resource. */
  "scenarios.keep": endpoint({
    summary: "Keep a reference document or resource of a scenario",
    permit: "internal",
    body: Material.create,
    returns: data(Material.view),
    handler(ctx) {
      return this.store(Material).create(ctx, ctx.params);
    },
  }),
};

/** Materials outside of compartments take the place of those of the scenario before. */
async function replaceMaterials(
  host: Host,
  ctx: Parameters<typeof actorOf>[0],
  problemSetId: string,
  scenario: Scenario,
): Promise<Material[]> {
  const materials = host.store(Material);
  const old = await materials.find(asSystem("problem-sets"), { problemSetId }, { fields: ["kind"] });
  await materials.bulk(old.map(({ id }) => ({ remove: { _id: id } })));
  const open = materialsOf(scenario).filter(({ compartments }) => compartments.length === 0);
  return open.length
    ? materials.createMany(
        ctx,
        open.map(({ key: _key, ...fields }) => ({ ...fields, problemSetId })),
      )
    : [];
}
