import { z } from "zod";
import { JsonValue } from "../../../../core/sync/wire.ts";
import type { SyncedNoun } from "../../synced-nouns.ts";
import { NOUN_LIST } from "../records/carrying.ts";

export const FieldsText = z
  .record(
    z.string(),
    z.object({
      fields: z.record(z.string(), z.record(z.string(), JsonValue)).describe("What each field takes, as JSON Schema."),
      needs: z.array(z.string()).describe("What a new record cannot be without."),
      later: z.array(z.string()).describe("What a new record cannot be given: it is set once the record is there."),
    }),
  )
  .meta({ id: "EdgeFields" });

const schemaOf = (schema: z.ZodType) => {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: "input" });
  return rest as Record<string, z.core.util.JSONType>;
};

const told = ({ fields, begins, later }: SyncedNoun) => ({
  fields: Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schemaOf(schema)])),
  needs: Object.keys(fields).filter((name) => begins[name] && !begins[name].safeParse(undefined).success),
  later: [...later],
});

/** What the domains take as values of the fields that are carried: a node judges by it while it is cut off. */
export const fieldsTold = (): z.input<typeof FieldsText> =>
  Object.fromEntries(NOUN_LIST.map((noun) => [noun.entity, told(noun)]));
