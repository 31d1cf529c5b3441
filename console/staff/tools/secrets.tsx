import { useState, type ReactNode } from "react";
import { Check, Field, type FormFields } from "../../parts/form.tsx";
import type { Tool } from "./tool-words.ts";

/** Headers that go with each request; those that are stored are never shown. */
export function Secrets({ of: headers }: { of: Tool["headers"] }): ReactNode {
  const [keys, setKeys] = useState<readonly number[]>([]);
  return (
    <fieldset>
      <legend>Headers that go with each request</legend>
      <p className="muted note">
        Such as a key of the other server. Nobody can read them again; another address drops them.
      </p>
      {headers.map(({ name, last4 }) => (
        <Check
          key={name}
          label={`Forget ${name}`}
          name={`forget.${name}`}
          hint={last4 ? `It ends in ${last4}.` : "It is set."}
        />
      ))}
      {keys.map((key, at) => (
        <div key={key} className="draft-step" role="group" aria-label={`Header ${at + 1}`}>
          <Field label="Header" name={`header.${key}.name`} placeholder="authorization" maxLength={80} required />
          <Field
            label="Its value"
            name={`header.${key}.value`}
            type="password"
            autoComplete="off"
            maxLength={4_096}
            required
          />
          <button
            type="button"
            aria-label={`Leave it out: header ${at + 1}`}
            onClick={() => setKeys(keys.filter((one) => one !== key))}
          >
            Leave it out
          </button>
        </div>
      ))}
      <div className="row">
        <button type="button" onClick={() => setKeys([...keys, (keys.at(-1) ?? 0) + 1])}>
          Add a header
        </button>
      </div>
    </fieldset>
  );
}

/** Headers as the API takes them: a value sets one, null forgets it. */
export function headersOf(fields: FormFields): { headers?: Record<string, string | null> } {
  const set = Object.entries(fields).flatMap(([field, name]) => {
    const key = /^header\.(\d+)\.name$/.exec(field)?.[1];
    return key === undefined ? [] : [[name.trim(), fields[`header.${key}.value`] ?? ""] as const];
  });
  const forgotten = Object.keys(fields).flatMap((field) =>
    field.startsWith("forget.") ? [[field.slice("forget.".length), null] as const] : [],
  );
  const headers = Object.fromEntries([...forgotten, ...set]);
  return Object.keys(headers).length ? { headers } : {};
}
