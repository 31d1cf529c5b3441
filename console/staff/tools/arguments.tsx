import { useState, type ReactNode } from "react";
import { Check, Field, Select, type FormFields } from "../../parts/form.tsx";

type Schema = Readonly<Record<string, unknown>>;
interface Argument {
  key: number;
  name: string;
  type: string;
  description: string;
  isNeeded: boolean;
}

const TYPES = [
  ["string", "a text"],
  ["number", "a number"],
  ["integer", "a whole number"],
  ["boolean", "yes or no"],
] as const;

const argumentsIn = (schema: Schema): Argument[] => {
  const needed = (schema["required"] ?? []) as string[];
  return Object.entries((schema["properties"] ?? {}) as Record<string, Record<string, unknown>>).map(
    ([name, { type, description }], key) => ({
      key,
      name,
      type: String(type ?? "string"),
      description: String(description ?? ""),
      isNeeded: needed.includes(name),
    }),
  );
};

/** The values that an agent gives a tool with each act, one row each. */
export function Arguments({ of: schema }: { of: Schema }): ReactNode {
  const [rows, setRows] = useState(() => argumentsIn(schema));
  const add = (): void => {
    const key = Math.max(-1, ...rows.map((row) => row.key)) + 1;
    setRows([...rows, { key, name: "", type: "string", description: "", isNeeded: true }]);
  };
  return (
    <fieldset>
      <legend>Values that the agent gives it</legend>
      <input type="hidden" name="parameters" value="given" />
      {rows.map(({ key, name, type, description, isNeeded }, at) => (
        <div key={key} className="draft-step" role="group" aria-label={`Value ${at + 1}`}>
          <Field label="Name" name={`argument.${key}.name`} defaultValue={name} maxLength={64} required />
          <Select label="It is" name={`argument.${key}.type`} defaultValue={type} options={TYPES} />
          <Field
            label="What it means"
            name={`argument.${key}.description`}
            defaultValue={description}
            maxLength={300}
          />
          <Check label="It is needed" name={`argument.${key}.needed`} defaultChecked={isNeeded} />
          <button
            type="button"
            aria-label={`Leave it out: value ${at + 1}`}
            onClick={() => setRows(rows.filter((row) => row.key !== key))}
          >
            Leave it out
          </button>
        </div>
      ))}
      <div className="row">
        <button type="button" onClick={add}>
          Add a value
        </button>
      </div>
    </fieldset>
  );
}

/** The rows as a JSON Schema. What a schema of somebody's said beyond these rows is kept for values that stay. */
export function schemaOf(fields: FormFields, before: Schema = {}): Record<string, unknown> {
  const known = (before["properties"] ?? {}) as Record<string, Schema>;
  const keys = Object.keys(fields).flatMap((field) => /^argument\.(\d+)\.name$/.exec(field)?.[1] ?? []);
  const of = (key: string, part: string): string | undefined => fields[`argument.${key}.${part}`];
  const properties = keys.map((key) => {
    const [name = "", type, description] = [of(key, "name")?.trim(), of(key, "type"), of(key, "description")];
    const { description: _before, ...kept } = known[name]?.["type"] === type ? known[name]! : {};
    return [name, { ...kept, type, ...(description && { description }) }] as const;
  });
  const required = keys.flatMap((key) => (of(key, "needed") ? [of(key, "name")!.trim()] : []));
  return { type: "object", properties: Object.fromEntries(properties), required };
}
