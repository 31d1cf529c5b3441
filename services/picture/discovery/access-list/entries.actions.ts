import { data, list, nothing } from "../../../../core/contract/answer.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { iso } from "../../../../core/clock.ts";
import { conflict } from "../../../../core/problem.ts";
import { mayOutside } from "../../place.ts";
import { AccessListChanged } from "../events.ts";
import { askedPlace, DECIDE, deciding, inspecting, placeQuery, watchedFor } from "../reach.ts";
import { canonicalValue, AccessListEntry, entryId } from "./entries.ts";

export const entryActions = {
  "accessEntries.list": endpoint({
    rest: "GET /access-list",
    summary: "List the entries of the access list for devices",
    permit: "signed-in",
    within: inspecting,
    query: { ...AccessListEntry.query, ...placeQuery },
    returns: list(AccessListEntry.view),
    description: "Any blocking entry wins, then any allowing one; without a matching entry, nothing is decided.",
    handler(ctx) {
      return this.store(AccessListEntry).page(ctx, ctx.params, askedPlace(ctx.meta.actor!, ctx.params));
    },
  }),

  "accessEntries.add": endpoint({
    rest: "POST /access-list",
    summary: "Allow or block devices",
    permit: "signed-in",
    within: deciding,
    body: AccessListEntry.create,
    returns: data(AccessListEntry.view),
    status: 201,
    errors: { 409: "The entry exists already." },
    example: { kind: "block", by: "oui", value: "00:1B:C5", reason: "Not of ours." },
    description:
      "A platform entry applies to all devices of your mode, an entry of a problem set to the devices " +
      "there. All devices are re-evaluated.",
    async handler(ctx) {
      const place = watchedFor(ctx.meta.actor!, ctx.params, DECIDE);
      const now = iso(this.world.clock.now());
      const value = canonicalValue(ctx.params, now);
      const entry = { ...ctx.params, ...place, value };
      const id = entryId(place, entry);
      const facts = [AccessListChanged.fact(id, { id, mode: place.mode })];
      const store = this.store(AccessListEntry);
      const { record, made } = await store.createOnce(ctx, { ...entry, id }, { facts });
      if (made) return record;
      // What has expired counts no more, though nobody has swept it away yet.
      if (record.expiresAt === undefined || record.expiresAt > now) throw conflict("The entry exists already.", { id });
      const { reason = null, expiresAt = null } = ctx.params;
      return store.revise(ctx, record, { reason, expiresAt }, { facts });
    },
  }),

  "accessEntries.remove": endpoint({
    rest: "DELETE /access-list/:id",
    summary: "Remove an entry from the access list",
    permit: "signed-in",
    within: deciding,
    on: AccessListEntry,
    when: mayOutside(DECIDE),
    returns: nothing(),
    status: 204,
    description: "Removing entries, one by one, also releases what an emergency disconnect blocked.",
    async handler(ctx, entry) {
      const { id, mode } = entry;
      await this.store(AccessListEntry).remove(ctx, entry, { facts: [AccessListChanged.fact(id, { id, mode })] });
      return null;
    },
  }),
};
