import { badRequest, tooLarge } from "../../problem.ts";
import { DEEPEST, nestsTooDeep } from "./nesting.ts";

/** Another media type that a body may come in beside JSON, and what JSON value it stands for. */
export interface Medium {
  /** What it looks like, for people. */
  description: string;
  /** Throws 400, naming the line, for what is none of it. */
  read(text: string): unknown;
}

export const NDJSON = "application/x-ndjson";
export const CSV = "text/csv";
/** Lines of one body; what takes more comes in several. */
const MOST_LINES = 100_000;

/** Newline-delimited JSON: a value a line, empty lines apart. */
export function readLines(text: string): unknown[] {
  const values: unknown[] = [];
  let line = 0;
  for (let from = 0; from < text.length;) {
    const end = text.indexOf("\n", from);
    const one = text.slice(from, end < 0 ? text.length : end).trim();
    from = end < 0 ? text.length : end + 1;
    line++;
    if (one === "") continue;
    if (values.length >= MOST_LINES) throw tooLarge(`The body has more than ${MOST_LINES} lines.`);
    if (nestsTooDeep(one)) throw badRequest(`Line ${line} is nested deeper than ${DEEPEST} levels.`);
    try {
      values.push(JSON.parse(one));
    } catch {
      throw badRequest(`Line ${line} is not valid JSON.`);
    }
  }
  return values;
}

const DELIMITERS = [",", ";", "\t"] as const;

/** What stands between the cells of the first line most often, outside of quotes. */
function delimiterOf(text: string): string {
  const counts = new Map<string, number>(DELIMITERS.map((one) => [one, 0]));
  let isQuoted = false;
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (character === "\n" || character === "\r")) break;
    else if (!isQuoted && counts.has(character)) counts.set(character, counts.get(character)! + 1);
  }
  return [...counts].reduce((best, one) => (one[1] > best[1] ? one : best))[0];
}

/**
 * The rows of a table (RFC 4180, with or without a byte order mark), by the names in its first line. An empty cell is
 * no field; cells beyond the names are `column 7`. Throws 400 for what is no table.
 */
export async function readTable(text: string): Promise<Record<string, string>[]> {
  const { CsvError, parse } = await import("csv-parse/sync");
  const table = text.replace(/^\uFEFF/, "");
  let lines: string[][];
  try {
    lines = parse(table, {
      delimiter: delimiterOf(table),
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
      to: MOST_LINES,
    }) as string[][];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw badRequest(`The body is no table as RFC 4180 has it: ${error.message}.`);
  }
  const [names = [], ...rows] = lines;
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw badRequest(`Two columns of the table are called "${twice}".`);
  return rows.map((cells) =>
    Object.fromEntries(
      cells.flatMap((cell, at) => (cell === "" ? [] : [[names[at] || `column ${at + 1}`, cell] as const])),
    ),
  );
}
