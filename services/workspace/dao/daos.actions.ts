import { memberOf } from "../../../core/access/access.ts";
import { data, list } from "../../../core/contract/answer.ts";
import { actorOf } from "../../../core/access/caller.ts";
import { endpoint } from "../../../core/contract/endpoint.ts";
import { TextId } from "../../../core/records/entity.ts";
import { CONFIG_CHANGE, ConfigChange, Dao, DaoView, DEFAULT_CONFIG, empowering, refuseUnlessGoverned } from "./daos.ts";
import { enrolled, MESH } from "./context.ts";
import { DaoConfigured, DaoFounded } from "./events.ts";

const EMPOWERED =
  "Measures that reach beyond the DAO (`grant-set-role`, `open-gate`, `pay-bounty`) can be allowed only by a commander.";

export const daoActions = {
  list: endpoint({
    rest: "GET /",
    summary: "List the DAOs of your problem sets",
    tool: "list_daos",
    description:
      "A DAO decides by votes of its members; what is being voted on is in `GET /api/dao/{daoId}/proposals`.",
    permit: "signed-in",
    within: { set: "problemSetId", may: "dao:read" },
    returns: list(DaoView),
    query: {
      ...Dao.query,
      workspaceId: TextId.optional().describe(
        "Only the DAOs of this workspace, which is a problem set. The same as `problemSetId`.",
      ),
    },
    handler(ctx) {
      const { workspaceId, ...query } = ctx.params;
      if (workspaceId) memberOf(ctx.meta.actor, workspaceId, "dao:read");
      return this.store(Dao).page(ctx, query, workspaceId ? { problemSetId: workspaceId } : {});
    },
  }),

  get: endpoint({
    rest: "GET /:daoId",
    summary: "Read a DAO and its configuration",
    tool: "show_dao",
    description: "On what voting power rests, and the quorum, majority and periods that new proposals get.",
    permit: "signed-in",
    on: Dao,
    by: "daoId",
    within: { set: "problemSetId", may: "dao:read" },
    returns: data(DaoView),
    handler: (_ctx, dao) => dao,
  }),

  create: endpoint({
    rest: "POST /",
    summary: "Found a DAO in a problem set",
    permit: "signed-in",
    within: { set: "problemSetId", may: "dao:found" },
    returns: data(DaoView),
    status: 201,
    body: { ...Dao.create, config: ConfigChange.default({}) },
    description:
      "Defaults of the configuration: one member one vote, a quorum of 20 %, three days, no timelock. " +
      `${EMPOWERED} With \`compartments\`, it is visible to those read into all of them. The founder is enrolled.`,
    example: {
      problemSetId: "019…",
      name: "Flood response council",
      config: { quorumBps: 3_000, timelockSeconds: 3_600 },
    },
    async handler(ctx) {
      const { config, problemSetId } = ctx.params;
      if (empowering(DEFAULT_CONFIG, config).length) memberOf(ctx.meta.actor, problemSetId, "dao:empower");
      const by = actorOf(ctx);
      const facts = (dao: Dao) => [
        DaoFounded.fact(dao.id, { daoId: dao.id, problemSetId, compartments: dao.compartments, by, name: dao.name }),
      ];
      const dao = await this.store(Dao).create(
        ctx,
        { ...ctx.params, config: { ...DEFAULT_CONFIG, ...config }, training: ctx.meta.actor!.mode === "training" },
        { facts },
      );
      await enrolled(this, MESH, dao, by);
      return dao;
    },
  }),

  configure: endpoint({
    rest: "PUT /:daoId/config",
    summary: "Change a DAO's voting rules",
    permit: "signed-in",
    on: Dao,
    by: "daoId",
    within: { set: "problemSetId", may: "dao:govern" },
    body: CONFIG_CHANGE,
    returns: data(DaoView),
    description: `Omitted fields stay unchanged; submitted proposals keep the rules they were submitted under. ${EMPOWERED}`,
    example: { quorumBps: 4_000 },
    errors: {
      409:
        "The configuration can be changed only by proposal (`AMENDMENT_BY_PROPOSAL_ONLY`), or was changed " +
        "meanwhile.",
    },
    async handler(ctx, dao) {
      refuseUnlessGoverned(dao.config);
      if (empowering(dao.config, ctx.params).length) memberOf(ctx.meta.actor, dao.problemSetId, "dao:empower");
      const fact = DaoConfigured.fact(dao.id, {
        daoId: dao.id,
        problemSetId: dao.problemSetId,
        compartments: dao.compartments,
        by: actorOf(ctx),
        fields: Object.keys(ctx.params),
      });
      return this.store(Dao).revise(ctx, dao, { config: { ...dao.config, ...ctx.params } }, { facts: [fact] });
    },
  }),
};
