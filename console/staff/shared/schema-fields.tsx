import type { ReactNode } from "react";
import { Check, Field, Select, TextField } from "../../parts/form.tsx";
import type { SchemaField } from "./schema.ts";

const INPUT_TYPES = { number: "number", moment: "datetime-local" } as const;

/** The fields of a form as a JSON Schema asks for them; their names begin with `prefix`. */
export const SchemaFields = ({
  fields,
  prefix = "",
  values = {},
}: {
  fields: readonly SchemaField[];
  prefix?: string;
  values?: Readonly<Record<string, unknown>>;
}): ReactNode => fields.map((field) => <OneField key={field.name} {...{ field, prefix }} given={values[field.name]} />);

function OneField({ field, prefix, given }: { field: SchemaField; prefix: string; given: unknown }): ReactNode {
  const { name, label, hint, kind, isRequired, options, initial } = field;
  const common = { name: prefix + name, ...(hint && { hint }) };
  const start = given === undefined ? initial : typeof given === "object" ? JSON.stringify(given) : String(given);
  const words = isRequired ? label : `${label} (optional)`;
  if (kind === "flag") return <Check label={label} {...common} defaultChecked={start === "true"} />;
  if (kind === "choice")
    return (
      <Select
        label={words}
        {...common}
        defaultValue={start}
        required={isRequired}
        options={start ? options : [["", "choose"], ...options]}
      />
    );
  if (kind === "long" || kind === "json")
    return <TextField label={words} {...common} rows={3} defaultValue={start} required={isRequired} />;
  const type = kind === "number" || kind === "moment" ? INPUT_TYPES[kind] : "text";
  return (
    <Field
      label={words}
      {...common}
      type={type}
      {...(kind === "number" && { step: "any" })}
      defaultValue={start}
      required={isRequired}
    />
  );
}
