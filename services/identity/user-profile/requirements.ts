import { z } from "zod";
import { FIELD_NAMES, FIELDS, type FieldName } from "./profiles.ts";

export const Requirements = z
  .object({
    fields: z.array(
      z.object({
        name: z.enum(FIELD_NAMES),
        label: z.string(),
        required: z.boolean(),
        schema: z.record(z.string(), z.unknown()).describe("JSON Schema of the value."),
      }),
    ),
    email: z.object({
      required: z.literal(true),
      restricted: z
        .boolean()
        .describe(
          "Whether only addresses of some domains are accepted; `POST /user-profile/validate-email` checks " +
            "one address.",
        ),
    }),
    credential: z.literal("passkey").describe("What a new account signs in with."),
  })
  .meta({ id: "RegistrationRequirements" });

/** What a registration must supply, as data a form can be drawn from: required fields first. */
export function requirementsOf(required: readonly FieldName[], restricted: boolean): z.output<typeof Requirements> {
  const names = [...required, ...FIELD_NAMES.filter((name) => !required.includes(name))];
  return {
    fields: names.map((name) => {
      const {
        $schema: _dialect,
        description,
        ...schema
      } = z.toJSONSchema(FIELDS[name], { io: "input", unrepresentable: "any" }) as Record<string, unknown>;
      return { name, label: String(description), required: required.includes(name), schema };
    }),
    email: { required: true, restricted },
    credential: "passkey",
  };
}
