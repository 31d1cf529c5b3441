import { data, list, nothing } from "../../../../core/contract/answer.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { operationalOnly, simulates } from "../../../../core/access/training-mode.ts";
import { iso } from "../../../../core/clock.ts";
import { ADMINISTER, askedPlace, inspecting, placeQuery, watchedFor } from "../reach.ts";
import { demandListable, Target, unscanned } from "./targets.ts";

const FORBIDDEN = {
  409: "You are in training (`OPERATIONAL_ONLY`).",
  422: "Nothing is ever sent there: a group, broadcast, link-local or metadata address (`FORBIDDEN_ADDRESS`).",
};

export const targetActions = {
  "targets.list": endpoint({
    rest: "GET /scan-targets",
    summary: "List the scan targets",
    permit: "signed-in",
    within: inspecting,
    query: { ...Target.query, ...placeQuery },
    returns: list(Target.view),
    handler(ctx) {
      return this.store(Target).page(ctx, ctx.params, askedPlace(ctx.meta.actor!, ctx.params));
    },
  }),

  "targets.add": endpoint({
    rest: "POST /scan-targets",
    summary: "Add a scan target",
    permit: ADMINISTER,
    stepUp: true,
    within: inspecting,
    body: Target.create,
    returns: data(Target.view),
    status: 201,
    errors: FORBIDDEN,
    example: { name: "Workshop", hosts: ["192.168.7.0/24"], ports: [22, 80], transports: ["tcp", "http"] },
    description:
      "Devices found there belong to the same place as the target. Names are resolved at the start of " +
      "each pass, each address is checked again, and connections go to exactly that address; redirects " +
      "are not followed. Archiving its problem set disables a target.",
    handler(ctx) {
      if (simulates(ctx)) throw operationalOnly("scanning reaches out of the platform");
      demandListable(ctx.params);
      const { nextAt } = unscanned(iso(this.world.clock.now()));
      return this.store(Target).create(ctx, {
        ...ctx.params,
        ...watchedFor(ctx.meta.actor!, ctx.params, ADMINISTER),
        nextAt,
      });
    },
  }),

  "targets.update": endpoint({
    rest: "PUT /scan-targets/:id",
    summary: "Change a scan target",
    permit: ADMINISTER,
    stepUp: true,
    within: inspecting,
    on: Target,
    body: Target.update,
    returns: data(Target.view),
    errors: FORBIDDEN,
    description: "Omitted fields stay unchanged. The current pass ends, and another starts.",
    handler(ctx, target) {
      if (simulates(ctx)) throw operationalOnly("scanning reaches out of the platform");
      demandListable(ctx.params);
      return this.store(Target).revise(ctx, target, { ...ctx.params, ...unscanned(iso(this.world.clock.now())) });
    },
  }),

  "targets.remove": endpoint({
    rest: "DELETE /scan-targets/:id",
    summary: "Remove a scan target",
    permit: ADMINISTER,
    stepUp: true,
    within: inspecting,
    on: Target,
    returns: nothing(),
    status: 204,
    description: "Nothing more is sent there. What was found is kept.",
    async handler(ctx, target) {
      await this.store(Target).remove(ctx, target);
      return null;
    },
  }),
};
