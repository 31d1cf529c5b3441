import type { ReactNode } from "react";
import { Time } from "../../parts/texts.tsx";
import { spelled } from "./words.ts";

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/** Any value as people read it: texts as they are, lists as lists, the rest as its fields. */
export function Value({ of: value }: { of: unknown }): ReactNode {
  if (value === null || value === undefined || value === "") return <span className="muted">nothing</span>;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") return INSTANT.test(value) ? <Time at={value} /> : value;
  if (typeof value === "number") return value.toLocaleString("en");
  if (Array.isArray(value)) return <ListOf rows={value} />;
  return <Values of={value as Record<string, unknown>} />;
}

function ListOf({ rows }: { rows: readonly unknown[] }): ReactNode {
  if (!rows.length) return <span className="muted">none</span>;
  if (rows.every((row) => typeof row !== "object")) return rows.join(", ");
  return (
    <ol>
      {rows.map((row, at) => (
        // Rows of foreign answers have no ids of their own.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={at}>
          <Value of={row} />
        </li>
      ))}
    </ol>
  );
}

/** Named values, every word of them: what an act would be done with. `named` gives words for ids. */
export function Values({
  of: values,
  named = {},
}: {
  of: Readonly<Record<string, unknown>>;
  named?: Readonly<Record<string, string>>;
}): ReactNode {
  const rows = Object.entries(values);
  if (!rows.length) return <span className="muted">nothing else</span>;
  return (
    <dl className="values">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{spelled(name.replace(/Id$/, ""))}</dt>
          <dd>
            <Value of={(typeof value === "string" && named[value]) || value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
