import { z } from "zod";
import { asSystem } from "../../../core/access/caller.ts";
import { bare } from "../../../core/contract/answer.ts";
import { endpoint } from "../../../core/contract/endpoint.ts";
import { TextId } from "../../../core/records/entity.ts";
import { Assessment } from "./assessments/assessments.ts";
import { Objective } from "./objectives/objectives.ts";

const MESH = asSystem("strategic");
const MOST = 1_000;

/** Called by other domains. */
export const meshActions = {
  "objectives.show": endpoint({
    summary: "An objective, whole, for a domain that keeps the barrier itself",
    permit: "internal",
    body: { objectiveId: TextId },
    returns: bare(z.custom<Objective>(() => true)),
    handler(ctx) {
      return this.store(Objective).get(MESH, ctx.params.objectiveId);
    },
  }),

  "objectives.approved": endpoint({
    summary: "The approved objectives of a problem set, the newest first",
    permit: "internal",
    body: { problemSetId: TextId },
    returns: bare(z.custom<Objective[]>(Array.isArray)),
    handler(ctx) {
      const query = { problemSetId: ctx.params.problemSetId, status: "approved" };
      return this.store(Objective).find(MESH, query, { sort: ["-createdAt"], limit: MOST });
    },
  }),

  "objectives.lastAssessed": endpoint({
    summary: "The newest assessment of an objective, or null",
    permit: "internal",
    body: { objectiveId: TextId },
    returns: bare(z.custom<Assessment | null>(() => true)),
    async handler(ctx) {
      const { problemSetId } = await this.store(Objective).get(MESH, ctx.params.objectiveId);
      const query = { problemSetId, objectiveId: ctx.params.objectiveId };
      const [last] = await this.store(Assessment).find(MESH, query, { sort: ["-at"], limit: 1 });
      return last ?? null;
    },
  }),
};
