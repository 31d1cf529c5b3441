import type { Data } from "../../../api/client.ts";

export type ImportedRows = Data<"POST /resources/bulk-import">;
type RefusedRow = ImportedRows["failed"][number];

/** A file as it is sent: a table as it is, JSON as rows. */
export interface RowsFile {
  name: string;
  table?: Blob;
  rows?: Record<string, unknown>[];
  /** Lines of a table, without its heading, where each row is one line. */
  lines?: readonly string[];
}

/** Reads what was chosen. Throws, in words, what is no list of rows. */
export async function rowsFileOf(file: File): Promise<RowsFile> {
  const text = await file.text();
  const { name } = file;
  if (!name.toLowerCase().endsWith(".json") && !/^\s*[[{]/.test(text)) {
    const lines = text.split(/\r?\n/).filter((line) => line.trim());
    const isPlain = !text.includes('"');
    return { name, table: new Blob([text], { type: "text/csv" }), ...(isPlain && { lines: lines.slice(1) }) };
  }
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    throw new Error(`${name} is neither a table (CSV) nor JSON.`);
  }
  const rows = Array.isArray(found) ? found : (found as { rows?: unknown }).rows;
  if (!Array.isArray(rows) || !rows.every((row) => typeof row === "object" && row !== null))
    throw new Error(`${name} is JSON, but no list of rows.`);
  return { name, rows: rows as Record<string, unknown>[] };
}

/** What a row that was refused says, as far as it can be told: its line, or what it has as JSON. */
export function rowText({ lines, rows }: RowsFile, { index }: RefusedRow): string {
  const row = rows?.[index];
  return row ? JSON.stringify(row) : (lines?.[index] ?? "");
}

/** Rows are counted from 1 here, from 0 over the API. */
export const refusalWords = ({ message }: RefusedRow): string =>
  message.replace(/^Row (\d+) /, (_all, index: string) => `Row ${Number(index) + 1} `);
