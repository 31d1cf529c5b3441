import { z } from "zod";
import { demandOpen } from "../../../../adapters/outbound/outbound.ts";
import { sees } from "../../../../core/access/barrier.ts";
import type { Ctx } from "../../../../core/access/caller.ts";
import { barrier } from "../../../../core/access/place.ts";
import { iso } from "../../../../core/clock.ts";
import { data, list } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { nextId } from "../../../../core/contract/repeatable.ts";
import { conflict, invalid, notFound } from "../../../../core/problem.ts";
import { CursorMeta, feeding, TextId } from "../../../../core/records/entity.ts";
import { changesBetween } from "../configurations/configurations.ts";
import { BOOK } from "../configurations/trail.ts";
import { fetched, sealerOf } from "./collecting.ts";
import { nextOf } from "./schedules.ts";
import { Headers, ItemView, OsintItem, OsintSource, sealedHeaders, SourceView, osintSourceView } from "./sources.ts";

const permit = "platform:administer";
const MOST_SHOWN = 5;

const Test = z
  .object({
    ok: z.boolean(),
    message: z.string().optional().describe("The reason, if not."),
    found: z.int(),
    titles: z.array(z.string()).describe("Of the first ones."),
  })
  .meta({ id: "OsintTestFetch" });
const Tried = SourceView.extend({
  id: TextId.optional(),
  test: Test.optional().describe("For a dry run, which stores nothing."),
}).meta({ id: "OsintSourceOrTest" });

const dryRun = z.boolean().default(false).describe("Fetches it once and stores nothing.");
const errors = { 422: "`ADDRESS_REFUSED`, `MASKED_SECRET`." };
const fields = {
  name: OsintSource.create.name,
  kind: OsintSource.create.kind,
  address: OsintSource.create.address,
  schedule: OsintSource.create.schedule,
  reliability: OsintSource.create.reliability,
  active: OsintSource.create.active,
};
const EXAMPLE = {
  name: "Port notices",
  kind: "feed",
  address: "https://example.org/notices.xml",
  schedule: { cron: "*/15 * * * *", timeZone: "Europe/Vienna" },
  reliability: "B",
};

/** Throws 404 where somebody would have material laid where they could not read it. */
function refusePlace(ctx: Ctx<unknown>, place: Pick<OsintSource, "problemSetId" | "compartments">): void {
  if (place.problemSetId === undefined) {
    if (place.compartments.length)
      throw invalid([{ path: "compartments", message: "Compartments lie in a problem set: send its problemSetId." }]);
    return;
  }
  const { actor } = ctx.meta;
  if (!sees({ set: barrier.set }, actor, place)) throw notFound("problem set", place.problemSetId);
  const closed = place.compartments.find((id) => !sees(barrier, actor, { ...place, compartments: [id] }));
  if (closed) throw notFound("compartment", closed);
}

async function tried(host: Host, ctx: Ctx<unknown>, source: OsintSource): Promise<z.input<typeof Tried>> {
  const came = await fetched(host, source, host.signal(ctx));
  const test = came.ok
    ? { ok: true, found: came.items.length, titles: came.items.slice(0, MOST_SHOWN).map(({ title }) => title) }
    : { ok: false, message: came.message, found: 0, titles: [] };
  return { ...osintSourceView(source), test };
}

/** A source as the trail tells of it: its settings, without what it brought. */
const settingsOf = ({ name, kind, address, schedule, reliability, active }: Partial<OsintSource>) => ({
  ...{ name, kind, address, schedule, reliability, active },
});
const told = (before: Partial<OsintSource>, after: Partial<OsintSource>, headers?: Headers | null) => ({
  config: "osint-sources",
  changes: [
    ...changesBetween(settingsOf(before), settingsOf(after)),
    ...(headers === undefined ? [] : [{ path: "headers", secret: headers ? ("set" as const) : ("cleared" as const) }]),
  ],
});

const onSource = { on: OsintSource } as const;

export const sourceActions = {
  "osintSources.list": endpoint({
    rest: "GET /osint-sources",
    summary: "List the OSINT sources",
    permit,
    query: { ...OsintSource.query, status: OsintSource.record.shape.status.default("active") },
    returns: list(SourceView),
    async handler(ctx) {
      const { data: rows, meta } = await this.store(OsintSource).page(ctx, ctx.params);
      return { data: rows.map(osintSourceView), meta };
    },
  }),

  "osintSources.get": endpoint({
    rest: "GET /osint-sources/:id",
    summary: "Show an OSINT source",
    permit,
    ...onSource,
    returns: data(SourceView),
    handler(_ctx, source) {
      return osintSourceView(source);
    },
  }),

  "osintSources.create": endpoint({
    rest: "POST /osint-sources",
    summary: "Add an OSINT source",
    permit,
    stepUp: true,
    audit: BOOK,
    query: { dryRun },
    body: {
      ...fields,
      problemSetId: OsintSource.create.problemSetId,
      compartments: OsintSource.create.compartments,
      headers: Headers.optional(),
    },
    returns: data(Tried),
    status: 201,
    found: ({ test }) => test !== undefined,
    example: EXAMPLE,
    description:
      "It is fetched on its schedule from then on; its material lies in the place it names, which " +
      "cannot be changed later. Headers are sent to its origin only, and are never returned.",
    errors: { ...errors, 404: "You are not in the problem set or a compartment." },
    async handler(ctx) {
      const { dryRun: isDry, headers = {}, ...given } = ctx.params;
      ctx.locals.said = told({}, given, Object.keys(headers).length ? headers : undefined);
      demandOpen(this.world.outbound, given.address, "address");
      refusePlace(ctx, given);
      const now = this.world.clock.now();
      const id = nextId(ctx, OsintSource.name);
      const sealed = sealedHeaders(sealerOf(this), { id, address: given.address }, headers, iso(now));
      const nextAt = given.active ? nextOf(given.schedule, now) : undefined;
      const source = { ...given, id, status: "active", headers: sealed, collected: 0, ...(nextAt && { nextAt }) };
      if (!isDry) return osintSourceView(await this.store(OsintSource).create(ctx, source));
      const stamps = { rev: 0, createdAt: iso(now), updatedAt: iso(now), createdBy: ctx.meta.actor!.userId };
      const { id: _id, ...shown } = await tried(this, ctx, { ...source, ...stamps } as OsintSource);
      return shown;
    },
  }),

  "osintSources.update": endpoint({
    rest: "PUT /osint-sources/:id",
    summary: "Change an OSINT source",
    permit,
    stepUp: true,
    audit: BOOK,
    ...onSource,
    query: { dryRun },
    body: { ...fields, headers: Headers.nullable().optional().describe("Absent: unchanged. Null: cleared.") },
    returns: data(Tried),
    example: EXAMPLE,
    description:
      "Send it whole, except for the headers and the place. If the address moves to another origin, " +
      "headers that are not sent again are dropped.",
    errors: { ...errors, 409: "It is archived." },
    async handler(ctx, source) {
      const { dryRun: isDry, headers, ...given } = ctx.params;
      ctx.locals.said = told(source, given, headers);
      if (source.status === "archived") throw conflict("An archived source is not changed.");
      demandOpen(this.world.outbound, given.address, "address");
      const now = this.world.clock.now();
      const stays = new URL(given.address).origin === new URL(source.address).origin ? source.headers : {};
      const place = { id: source.id, address: given.address };
      const sealed = headers ? sealedHeaders(sealerOf(this), place, headers, iso(now)) : headers === null ? {} : stays;
      const nextAt = given.active ? (nextOf(given.schedule, now) ?? null) : null;
      if (isDry) return tried(this, ctx, { ...source, ...given, headers: sealed });
      return osintSourceView(await this.store(OsintSource).revise(ctx, source, { ...given, headers: sealed, nextAt }));
    },
  }),

  "osintSources.remove": endpoint({
    rest: "DELETE /osint-sources/:id",
    summary: "Remove an OSINT source; one that has brought something is archived with it",
    permit,
    audit: BOOK,
    ...onSource,
    returns: data(z.object({ id: TextId, archived: z.boolean() })),
    async handler(ctx, source) {
      ctx.locals.said = told(source, {});
      const store = this.store(OsintSource);
      const brought = await this.store(OsintItem).collection.count({ query: { sourceId: source.id }, most: 1 });
      if (!brought) await store.remove(ctx, source);
      else if (source.status !== "archived")
        await store.revise(ctx, source, { status: "archived", active: false, headers: {}, nextAt: null });
      return { id: source.id, archived: brought > 0 };
    },
  }),

  "osintItems.list": endpoint({
    rest: "GET /osint-sources/:id/items",
    summary: "List the material of an OSINT source, newest first",
    permit,
    beyond: true,
    ...onSource,
    query: feeding,
    returns: list(ItemView, CursorMeta),
    description: "Limited to what you can see there: administering sources does not read you into compartments.",
    handler(ctx, source) {
      return this.store(OsintItem).feed(ctx, ctx.params, { sourceId: source.id });
    },
  }),
};
