import { z } from "zod";
import { SET_ROLE_NAMES, setPermitsOf } from "../../../../config/set-roles.ts";
import { bare, data } from "../../../../core/contract/answer.ts";
import { actorOf } from "../../../../core/access/caller.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { TextId } from "../../../../core/records/entity.ts";
import { invalid } from "../../../../core/problem.ts";
import { Role } from "../members/members.ts";
import { Layout, layoutFaults, PanelConfig, PanelConfigView, PanelsChanged } from "./panels.ts";

const SCHEMA = z.toJSONSchema(Layout, { target: "draft-2020-12" });
const RoleRow = z
  .object({
    role: Role,
    rank: z.int().describe("1 is highest: nobody gives a role above their own."),
    permits: z.array(z.string()).describe("`noun:responsibility`; `*` stands for any."),
  })
  .meta({ id: "ProblemSetRole" });

/** How a problem set presents itself: its panels, and what its roles allow. */
export const panelActions = {
  "panels.get": endpoint({
    rest: "GET /:id/panel-config",
    summary: "Read the panel layout of a problem set",
    permit: "signed-in",
    on: PanelConfig,
    within: { set: "id", may: "panels:read" },
    returns: data(PanelConfigView),
    handler: (_ctx, config) => config,
  }),

  "panels.replace": endpoint({
    rest: "PUT /:id/panel-config",
    summary: "Replace the panel layout of a problem set",
    permit: "signed-in",
    on: PanelConfig,
    within: { set: "id", may: "panels:edit" },
    returns: data(PanelConfigView),
    mustMatch: true,
    description:
      "Send the `ETag` that you read as `If-Match`: 412 if somebody else changed the layout meanwhile, " +
      "428 if it is missing. The layout must fit the schema at `/api/problem-sets/panel-schema`; ids " +
      "are unique, and panels may not overlap.",
    body: Layout.shape,
    example: { panels: [{ id: "map", kind: "map", column: 0, row: 0, width: 12, height: 8 }] },
    async handler(ctx, config) {
      const faults = layoutFaults(ctx.params.panels);
      if (faults.length) throw invalid(faults);
      return this.store(PanelConfig).revise(
        ctx,
        config,
        { panels: ctx.params.panels },
        { facts: [PanelsChanged.fact(config.id, { problemSetId: config.id, by: actorOf(ctx) })] },
      );
    },
  }),

  "panels.getSchema": endpoint({
    rest: "GET /panel-schema",
    summary: "Read the JSON Schema of panel layouts",
    permit: "signed-in",
    beyond: true,
    cacheSeconds: 3_600,
    returns: bare(z.record(z.string(), z.unknown())),
    handler: () => SCHEMA as Record<string, unknown>,
  }),

  "roles.list": endpoint({
    rest: "GET /:id/roles",
    summary: "List the roles of a problem set and what each allows",
    permit: "signed-in",
    within: { set: "id", may: "roles:read" },
    path: { id: TextId },
    returns: data(z.array(RoleRow)),
    description: "From highest to lowest. No role opens a compartment.",
    handler: () => SET_ROLE_NAMES.map((role, at) => ({ role, rank: at + 1, permits: [...setPermitsOf(role)] })),
  }),
};
