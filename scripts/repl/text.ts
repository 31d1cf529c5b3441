/**
 * Signs that a terminal would obey (C0 and C1 controls, bidirectional overrides) are shown as their numbers: names come
 * from feeds and people.
 */
export const harmless = (text: string): string =>
  text.replace(
    /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

const MOST_WIDTH = 60;

function cell(value: unknown): string {
  if (value === undefined || value === null) return "–";
  const text = harmless(typeof value === "object" ? JSON.stringify(value) : String(value));
  return text.length > MOST_WIDTH ? `${text.slice(0, MOST_WIDTH - 1)}…` : text;
}

/** Rows as columns of text, under the names of the first row's fields. */
export function columns(rows: readonly Record<string, unknown>[]): string {
  if (!rows.length) return "(none)";
  const names = Object.keys(rows[0]!);
  const lines = [names, ...rows.map((row) => names.map((name) => cell(row[name])))];
  const widths = names.map((_, at) => Math.max(...lines.map((line) => line[at]!.length)));
  return lines
    .map((line) =>
      line
        .map((text, at) => text.padEnd(widths[at]!))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** One record, a field a line. */
export function fields(record: Record<string, unknown>): string {
  const width = Math.max(...Object.keys(record).map((name) => name.length));
  const told = (value: unknown): string => harmless(typeof value === "string" ? value : JSON.stringify(value ?? null));
  return Object.entries(record)
    .map(([name, value]) => `${name.padEnd(width)}  ${told(value)}`)
    .join("\n");
}
