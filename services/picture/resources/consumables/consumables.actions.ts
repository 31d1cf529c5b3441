import { z } from "zod";
import type { Ctx } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import { data, list, nothing } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { Instant, paging, TextId } from "../../../../core/records/entity.ts";
import type { Fact } from "../../../../core/events/event.ts";
import { conflict, invalid, unprocessable } from "../../../../core/problem.ts";
import { retryOnConflict } from "../../../../core/records/conflict-retry.ts";
import { askedOutside, isSeenWith, mayOutside, outsideAlone, placeFor, type Place } from "../../place.ts";
import { ConsumableGone, ConsumableLow, ConsumableRestocked, factsInSet } from "../events.ts";
import { EDIT, editing, READ, reading, REPORT, reporting } from "../registry/permits.ts";
import { Resource } from "../registry/resources.ts";
import { Consumable, ConsumableView, Delta, MOST, Quantity, consumableView } from "./consumables.ts";
import { isSufficient, shortage, usedUp, type Stock } from "./stock.ts";

const REFUSED =
  "The level exceeds the capacity (`ABOVE_CAPACITY`), or the holding resource lies in another " +
  "problem set (`OTHER_PLACE`).";

/** Whether it is short, since when, and whether that was told: once a crossing. */
function judged(stock: Stock, before: Pick<Consumable, "shortSince" | "isTold">, at: string) {
  const short = shortage(stock);
  return {
    short,
    shortSince: short ? (before.shortSince ?? at) : null,
    isTold: short !== null || (before.isTold && !isSufficient(stock)),
  };
}

/** What is to be told of a consumable as it was and as it is. */
function news(before: { isTold: boolean }, after: Consumable, by: string): Fact[] {
  if (after.isTold && !before.isTold && after.short)
    return factsInSet(ConsumableLow, after, by, { reason: after.short, level: after.level, unit: after.unit });
  return before.isTold && !after.isTold ? factsInSet(ConsumableRestocked, after, by) : [];
}

const TOO_MUCH = {
  level: "It is more than the capacity.",
  delta: "It leaves more than the capacity.",
  capacity: "It is less than there is.",
};

/** Throws 422 for what no store could hold, naming what was said: the level, its change, or how much there is room for. */
function demandLevel(
  level: number,
  capacity: number | null | undefined,
  said: "level" | "delta" | "capacity" = "level",
): void {
  if (level < 0)
    throw unprocessable("BELOW_ZERO", "There is not so much of it.", [
      { path: "delta", message: "It leaves less than 0." },
    ]);
  const room = capacity ?? MOST;
  if (level > room)
    throw unprocessable("ABOVE_CAPACITY", `There is room for ${room}.`, [{ path: said, message: TOO_MUCH[said] }]);
}

async function demandHolder(host: Host, ctx: Ctx<unknown>, place: Place, resourceId: string): Promise<void> {
  const resource = await host.store(Resource).one(ctx, { _id: resourceId });
  if (!resource || !isSeenWith(resource, place))
    throw unprocessable("OTHER_PLACE", "What holds it lies in the same problem set.", [
      {
        path: "resourceId",
        message: "There is no such resource in the problem set of the consumable, in no compartment that it is not in.",
      },
    ]);
}

const full = (change: object, before: Consumable): Consumable =>
  Object.fromEntries(
    Object.entries({
      ...before,
      ...Object.fromEntries(Object.entries(change).filter(([, one]) => one !== undefined)),
    }).filter(([, one]) => one !== null),
  ) as Consumable;

export const consumableActions = {
  "consumables.list": endpoint({
    rest: "GET /consumables",
    summary: "List the consumables",
    permit: READ,
    within: reading,
    query: { ...Consumable.query, ...outsideAlone },
    returns: list(ConsumableView),
    async handler(ctx) {
      const { outside, ...asked } = ctx.params;
      const also = askedOutside(ctx.meta.actor!, { outside, ...asked });
      const { data: found, meta } = await this.store(Consumable).page(ctx, asked, also);
      return { data: found.map(consumableView), meta };
    },
  }),

  "consumables.listLow": endpoint({
    rest: "GET /consumables/low-stock",
    summary: "List the consumables that run short, and why",
    permit: READ,
    within: reading,
    query: { problemSetId: TextId.optional(), ...outsideAlone, ...paging },
    returns: list(ConsumableView),
    tool: "list_low_stock",
    description:
      "`forecast`: will be used up before more can arrive (`leadTimeDays`), by a moving average of its decreases " +
      "over seven days, as of its last change. Longest shortage first.",
    async handler(ctx) {
      const { outside, ...asked } = ctx.params;
      const also = askedOutside(ctx.meta.actor!, { outside, ...asked });
      const { data: found, meta } = await this.store(Consumable).page(
        ctx,
        { ...asked, sort: "shortSince" },
        { ...also, shortSince: { $exists: true } },
      );
      return { data: found.map(consumableView), meta };
    },
  }),

  "consumables.get": endpoint({
    rest: "GET /consumables/:id",
    summary: "Show a consumable",
    permit: READ,
    within: reading,
    on: Consumable,
    returns: data(ConsumableView),
    handler: (_ctx, consumable) => consumableView(consumable),
  }),

  "consumables.create": endpoint({
    rest: "POST /consumables",
    summary: "Add a consumable",
    permit: "signed-in",
    within: editing,
    body: Consumable.create,
    returns: data(ConsumableView),
    status: 201,
    errors: { 422: REFUSED },
    example: { name: "Diesel", unit: "l", level: 4_000, minimum: 1_000, leadTimeDays: 3 },
    async handler(ctx) {
      const actor = ctx.meta.actor!;
      const { level, capacity, resourceId } = ctx.params;
      const place = placeFor(actor, ctx.params, EDIT);
      demandLevel(level, capacity);
      if (resourceId !== undefined) await demandHolder(this, ctx, place, resourceId);
      const at = iso(this.world.clock.now());
      const use = { used: 0, days: 0 };
      const { short, shortSince, isTold } = judged({ ...ctx.params, ...use }, { isTold: false }, at);
      const made = await this.store(Consumable).create(
        ctx,
        { ...ctx.params, ...place, ...use, leveledAt: at, isTold, ...(short && { short, shortSince }) },
        { facts: (one: Consumable) => news({ isTold: false }, one, actor.userId) },
      );
      return consumableView(made);
    },
  }),

  "consumables.update": endpoint({
    rest: "PATCH /consumables/:id",
    summary: "Edit a consumable",
    permit: "signed-in",
    within: editing,
    on: Consumable,
    when: mayOutside(EDIT),
    body: {
      ...Consumable.change,
      level: z
        .never({ error: "Set the level, or change it by an amount, at `PATCH …/level`." })
        .optional()
        .describe("By `PATCH …/level` alone."),
    },
    returns: data(ConsumableView),
    errors: { 422: REFUSED },
    async handler(ctx, consumable) {
      const { level: _none, ...change } = ctx.params;
      const after = full(change, consumable);
      demandLevel(after.level, after.capacity, "capacity");
      if (change.resourceId) await demandHolder(this, ctx, consumable, change.resourceId);
      const found = judged(after, consumable, iso(this.world.clock.now()));
      const made = await this.store(Consumable).revise(
        ctx,
        consumable,
        { ...change, ...found },
        { facts: news(consumable, full(found, after), ctx.meta.actor!.userId) },
      );
      return consumableView(made);
    },
  }),

  "consumables.setLevel": endpoint({
    rest: "PATCH /consumables/:id/level",
    summary: "Set the level of a consumable, or change it by an amount",
    permit: "signed-in",
    within: reporting,
    on: Consumable,
    when: mayOutside(REPORT),
    body: {
      level: Quantity.optional().describe(
        "How much was counted, at no earlier moment than it was counted or changed last.",
      ),
      delta: Delta.optional().describe("The change of the level; concurrent changes all count."),
      at: Instant.optional().describe("When; now, unless said otherwise."),
    },
    returns: data(ConsumableView),
    errors: { 422: "The level would be negative (`BELOW_ZERO`) or above the capacity (`ABOVE_CAPACITY`)." },
    async handler(ctx, { id }) {
      const { level, delta, at: given } = ctx.params;
      if ((level === undefined) === (delta === undefined))
        throw invalid([{ path: "level", message: "Send the level, or the delta." }]);
      const now = this.world.clock.now();
      const at = given ?? iso(now);
      if (Date.parse(at) > now + 300_000) throw invalid([{ path: "at", message: "It lies in the future." }]);
      const { userId } = ctx.meta.actor!;
      const store = this.store(Consumable);
      const settle = async (): Promise<Consumable> => {
        const before = await store.get(ctx, id);
        if (level !== undefined && given !== undefined && at < before.leveledAt)
          throw conflict("It was counted or changed since: say by how much it changed (`delta`).", {
            leveledAt: before.leveledAt,
          });
        const after = level ?? before.level + delta!;
        demandLevel(after, before.capacity, level === undefined ? "delta" : "level");
        const elapsed = Date.parse(at) - Date.parse(before.leveledAt);
        const use = usedUp(before, before.level - after, elapsed);
        const found = judged({ ...before, ...use, level: after }, before, at);
        const change = { level: after, ...use, ...found, leveledAt: at > before.leveledAt ? at : before.leveledAt };
        return store.revise(ctx, before, change, { facts: news(before, full(change, before), userId) });
      };
      return consumableView(await retryOnConflict(settle));
    },
  }),

  "consumables.remove": endpoint({
    rest: "DELETE /consumables/:id",
    summary: "Remove a consumable",
    permit: "signed-in",
    within: editing,
    on: Consumable,
    when: mayOutside(EDIT),
    returns: nothing(),
    status: 204,
    async handler(ctx, consumable) {
      await this.store(Consumable).remove(ctx, consumable, {
        facts: [ConsumableGone.fact(consumable.id, { id: consumable.id })],
      });
      return null;
    },
  }),
};
