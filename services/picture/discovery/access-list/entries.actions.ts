import { data, list, nothing } from "../../../../core/contract/answer.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { iso } from "../../../../core/clock.ts";
import { conflict, invalid } from "../../../../core/problem.ts";
import { mayOutside } from "../../place.ts";
import { AccessListChanged } from "../events.ts";
import { askedPlace, DECIDE, deciding, inspecting, placeQuery, watchedFor } from "../reach.ts";
import { canonicalValue, AccessListEntry, entryId } from "./entries.ts";

export const entryActions = {
  "accessEntries.list": endpoint({
    rest: "GET /access-list",
    summary: "List what lets devices in and keeps them out",
    permit: "signed-in",
    within: inspecting,
    query: { ...AccessListEntry.query, ...placeQuery },
    returns: list(AccessListEntry.view),
    description: "Any entry that blocks wins, then any that allows; of whatever none speaks, nothing is decided.",
    handler(ctx) {
      return this.store(AccessListEntry).page(ctx, ctx.params, askedPlace(ctx.meta.actor!, ctx.params));
    },
  }),

  "accessEntries.add": endpoint({
    rest: "POST /access-list",
    summary: "Let a kind of device in, or keep it out",
    permit: "signed-in",
    within: deciding,
    body: AccessListEntry.create,
    returns: data(AccessListEntry.view),
    status: 201,
    errors: { 409: "There is this entry already." },
    example: { kind: "block", by: "oui", value: "00:1B:C5", reason: "Not of ours." },
    description:
      "An entry of the platform speaks of all devices of your mode, one of a problem set of those there. All " +
      "devices are decided on anew.",
    async handler(ctx) {
      const { by, expiresAt } = ctx.params;
      const place = watchedFor(ctx.meta.actor!, ctx.params, DECIDE);
      if (expiresAt !== undefined && expiresAt <= iso(this.world.clock.now()))
        throw invalid([{ path: "expiresAt", message: "It lies in the past." }]);
      const entry = { ...ctx.params, ...place, value: canonicalValue(by, ctx.params.value) };
      const id = entryId(place, entry);
      const { record, made } = await this.store(AccessListEntry).createOnce(
        ctx,
        { ...entry, id },
        { facts: [AccessListChanged.fact(id, { id, mode: place.mode })] },
      );
      if (!made) throw conflict("There is this entry already.", { id });
      return record;
    },
  }),

  "accessEntries.remove": endpoint({
    rest: "DELETE /access-list/:id",
    summary: "Take an entry off the access list",
    permit: "signed-in",
    within: deciding,
    on: AccessListEntry,
    when: mayOutside(DECIDE),
    returns: nothing(),
    status: 204,
    description: "What an emergency disconnect blocked is let go so, entry by entry.",
    async handler(ctx, entry) {
      const { id, mode } = entry;
      await this.store(AccessListEntry).remove(ctx, entry, { facts: [AccessListChanged.fact(id, { id, mode })] });
      return null;
    },
  }),
};
