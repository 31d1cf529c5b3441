import { z } from "zod";
import { data } from "../../../../core/contract/answer.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { withSeenNames } from "../../../../core/contract/input/names.ts";
import type { Fact } from "../../../../core/events/event.ts";
import { TextId } from "../../../../core/records/entity.ts";
import { placeFor } from "../../place.ts";
import { ResourceTouched } from "../telemetry/telemetry.ts";
import { Imported, importRows, Rows, table } from "../imports.ts";
import { draftedResource, revised, thresholdFacts } from "./drafting.ts";
import { EDIT, editing } from "./permits.ts";
import { externalKey, Resource } from "./resources.ts";
import { bringUnits } from "./tracking.ts";

const { problemSetId: _set, compartments: _compartments, ...NEW } = Resource.create;
const Fresh = withSeenNames(z.strictObject(NEW));
const Change = withSeenNames(z.strictObject(Resource.change));

const importQuery = {
  problemSetId: TextId.optional().describe("Where the rows go; the platform's without it."),
  compartments: z.array(TextId).max(20).optional().describe("Separated by commas."),
  dryRun: z.boolean().default(false).describe("Returns what would be done, without doing it."),
};
export const BULK_BYTES = 10_485_760;

/** What every import in bulk declares, beside its table and its example. */
export const bulk = {
  permit: "signed-in" as const,
  query: importQuery,
  body: { rows: Rows },
  inflates: true as const,
  bodyLimit: BULK_BYTES,
  returns: data(Imported),
};
export const bulkNote = (noun: string): string =>
  "JSON or CSV, at most 10,000 rows. A row whose `externalId` exists in the same place updates that " +
  `${noun}'s fields; all others are added.`;

export const importAction = {
  bulkImport: endpoint({
    rest: "POST /bulk-import",
    summary: "Import resources in bulk",
    ...bulk,
    within: editing,
    media: table({ lists: ["capabilities", "missionIds"] }),
    example: { rows: [{ externalId: "T-7", name: "Truck 7", kind: "vehicle" }] },
    description: bulkNote("resource"),
    async handler(ctx) {
      const { rows, dryRun, ...where } = ctx.params;
      const place = placeFor(ctx.meta.actor!, where, EDIT);
      const store = this.store(Resource);
      return importRows(ctx, rows, {
        dryRun,
        noun: Resource.name,
        fresh: Fresh,
        change: Change,
        before: (externalId) => store.one(ctx, { external: externalKey(place, "resource", externalId) }),
        create: async (given, id) => {
          const wanted = await draftedResource(this, ctx, place, given);
          if (!dryRun) await bringUnits(this, [await store.create(ctx, { ...wanted, id }, { facts: thresholdFacts })]);
        },
        update: async (before, change) => {
          const wanted = await revised(this, ctx, before, change);
          if (dryRun) return;
          const facts = (after: Resource): Fact[] => thresholdFacts(after, before);
          await bringUnits(this, [await store.revise(ctx, before, wanted, { facts })]);
          await ResourceTouched.emit(this, { id: before.id });
        },
      });
    },
  }),
};
