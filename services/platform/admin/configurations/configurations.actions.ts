import { z } from "zod";
import { CONFIGURATION_NAMES, type ConfigurationName } from "../../../../config/configurations.ts";
import type { Caller } from "../../../../core/access/caller.ts";
import { data, list } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { askAllNodes } from "../../../../core/contract/node.ts";
import { notFound, unprocessable } from "../../../../core/problem.ts";
import { CursorMeta, feeding, MOST_ROWS } from "../../../../core/records/entity.ts";
import {
  ConfigurationChange,
  changesBetween,
  Configuration,
  Name,
  Version,
  versionId,
  VersionView,
} from "./configurations.ts";
import { save } from "./saving.ts";
import { BOOK, trail, TrailEntry } from "./trail.ts";
import { configurationView, viewFor, ConfigurationInput } from "./views.ts";

const permit = "platform:administer";
const SILENT_MS = 2_000;
const Reason = z.string().trim().min(1).max(1_000);
const Page = feeding;
const VersionNumber = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

const how = {
  dryRun: z.boolean().default(false).describe("Checks the values and queries the endpoint, but stores nothing."),
  force: z
    .boolean()
    .default(false)
    .describe("Store it even if the endpoint does not answer or does not know the model."),
};
const errors = {
  403: "`STEP_UP_REQUIRED`.",
  412: "It was changed meanwhile: read it again.",
  422: "`UNREACHABLE` unless forced, `NO_PRICES`, `ADDRESS_REFUSED`, `MASKED_SECRET`.",
  428: "If-Match is missing.",
};

/** The version of a configuration; 0 is the environment's alone. */
async function versionOf(
  host: Host,
  ctx: Caller,
  name: ConfigurationName,
  at: number,
): Promise<Record<string, unknown>> {
  if (at === 0) return {};
  const found = await host.store(Version).one(ctx, { _id: versionId(name, at) });
  if (!found) throw notFound(`version of the configuration ${name}`, at);
  return found.value;
}

const WHAT: Record<ConfigurationName, { summary: string; save: string; example: object }> = {
  llm: {
    summary: "Read how the language model is configured",
    save: "Configure how the language model is called",
    example: { value: { maxRetries: 3, timeoutMs: 30_000 } },
  },
  agents: {
    summary: "Read the limits of agents",
    save: "Set the limits of agents",
    example: { value: { runs: 10 } },
  },
  workflow: {
    summary: "Read the defaults of gates and invites",
    save: "Set the defaults of gates and invites",
    example: { value: { missionInviteDays: 3 } },
  },
};

const ofOne = <N extends ConfigurationName>(name: N) => {
  const View = data(viewFor(name));
  return {
    [`${name}Settings.get`]: endpoint({
      rest: `GET /config/${name}`,
      summary: WHAT[name].summary,
      permit,
      returns: View,
      description:
        "The values in force and where each comes from. A change must send its ETag; secrets are never shown.",
      async handler(ctx) {
        const record = await this.store(Configuration).one(ctx, { _id: name });
        return configurationView(this.world.configurations, this.world.env, name, record) as never;
      },
    }),
    [`${name}Settings.save`]: endpoint({
      rest: `PUT /config/${name}`,
      summary: WHAT[name].save,
      permit,
      stepUp: true,
      audit: BOOK,
      query: how,
      body: { value: ConfigurationInput(name), reason: Reason.optional().describe("The reason, for the audit trail.") },
      returns: View,
      example: WHAT[name].example,
      errors,
      description:
        "Replaces all stored values: a field that is omitted, or null, returns to the environment's; an " +
        "omitted secret stays, null clears it. Needs If-Match (except for a dry run). In force on all " +
        "nodes within a second; work in progress ends with the values it started with. Sending the same " +
        "values creates no version.",
      async handler(ctx) {
        const { value, ...rest } = ctx.params as { value: Record<string, unknown>; dryRun: boolean; force: boolean };
        return (await save(this, ctx, name, value, rest)) as never;
      },
    }),
  };
};

const named = { path: { name: Name.describe("Which configuration.") } };

export const configurationActions = {
  ...ofOne("llm"),
  ...ofOne("agents"),
  ...ofOne("workflow"),

  "configChanges.list": endpoint({
    rest: "GET /config/audit",
    summary: "List the audit trail of configuration changes, newest first",
    permit,
    query: Page,
    returns: list(TrailEntry, CursorMeta),
    description:
      "Includes refused changes. Each entry is part of the audit log (`/api/audit`), whose chain shows " +
      "later tampering. For secrets it records that they changed, never their values.",
    handler(ctx) {
      return trail(this, ctx.params);
    },
  }),

  "nodes.list": endpoint({
    rest: "GET /config/nodes",
    summary: "List which configuration versions are in force on which nodes",
    permit,
    beyond: true,
    returns: data(
      z.object({
        nodes: z.array(
          z.object({ node: z.string(), versions: z.record(z.enum(CONFIGURATION_NAMES), z.int()).optional() }),
        ),
        complete: z.boolean().describe("Whether all nodes answered within two seconds."),
      }),
    ),
    async handler() {
      const said = await askAllNodes<Record<ConfigurationName, number>>(this.broker, "versions", {}, SILENT_MS);
      return {
        nodes: said.map(({ node, answer }) => ({ node, ...(answer && { versions: answer }) })),
        complete: said.every(({ answer }) => answer !== undefined),
      };
    },
  }),

  "versions.list": endpoint({
    rest: "GET /config/:name/versions",
    summary: "List the versions of a configuration, newest first",
    permit,
    beyond: true,
    ...named,
    query: Page,
    returns: list(VersionView, CursorMeta),
    handler(ctx) {
      const { name, cursor, limit } = ctx.params;
      return this.store(Version).feed(ctx, { cursor, limit: Math.min(limit, MOST_ROWS), order: "-version" }, { name });
    },
  }),

  "versions.getDiff": endpoint({
    rest: "GET /config/:name/diff",
    summary: "Compare two versions of a configuration",
    permit,
    beyond: true,
    ...named,
    query: {
      from: VersionNumber.describe("The version to compare with."),
      to: VersionNumber.optional().describe("Without it, the current one."),
    },
    returns: data(z.object({ from: z.int(), to: z.int(), changes: z.array(ConfigurationChange) })),
    description: "Version 0 is the environment's. Versions do not contain secrets.",
    async handler(ctx) {
      const { name, from } = ctx.params;
      const to = ctx.params.to ?? (await this.store(Configuration).one(ctx, { _id: name }))?.rev ?? 0;
      const [before, after] = [await versionOf(this, ctx, name, from), await versionOf(this, ctx, name, to)];
      return { from, to, changes: changesBetween(before, after) };
    },
  }),

  "versions.restore": endpoint({
    rest: "POST /config/:name/rollback",
    summary: "Restore a version of a configuration",
    permit,
    stepUp: true,
    audit: BOOK,
    beyond: true,
    ...named,
    query: how,
    body: { version: VersionNumber, reason: Reason.optional() },
    returns: data(z.union([viewFor("llm"), viewFor("agents"), viewFor("workflow")])),
    example: { version: 1 },
    errors: {
      ...errors,
      404: "There is no such version.",
      422: `${errors[422]} \`UNFIT_VERSION\`: today's rules no longer accept it.`,
    },
    description:
      "Restores it as a new version, checked by today's rules. Secrets keep their current values, " +
      "unless they belong to another address. Needs If-Match (except for a dry run).",
    async handler(ctx) {
      const { name, version, ...rest } = ctx.params;
      ctx.locals.said = { config: name };
      const value = await versionOf(this, ctx, name, version);
      const fit = ConfigurationInput(name).safeParse(value);
      if (!fit.success)
        throw unprocessable(
          "UNFIT_VERSION",
          `Version ${version} would not be taken today.`,
          fit.error.issues.map(({ path, message }) => ({ path: `value.${path.join(".")}`, message })),
        );
      return (await save(this, ctx, name, value, { ...rest, restored: version })) as never;
    },
  }),
};
