import { z } from "zod";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { live, liveType } from "../../../../core/contract/live.ts";
import { OBJECTIVE_STATES, type Objective } from "./objectives.ts";

export const ObjectiveMoved = liveType("objective.changed", {
  domain: "strategic",
  summary: "An objective that you see was written, changed, decided, assessed or removed",
  payload: z.object({ id: z.string(), status: z.enum(OBJECTIVE_STATES), rev: z.int() }),
  may: "objectives:read",
});

export const tellLive = (host: Host, { id, problemSetId, compartments, status, rev }: Objective): Promise<unknown> =>
  live(host, { event: ObjectiveMoved, to: { problemSetId, compartments }, data: { id, status, rev } });
