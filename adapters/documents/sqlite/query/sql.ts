/** What SQLite binds; a blob stands for a boolean in a table of elements. */
export type Bound = string | number | bigint | null | Uint8Array;

/** A piece of SQL with the values of its question marks, in order. */
export interface Sql {
  readonly text: string;
  readonly args: readonly Bound[];
}

/**
 * Composes SQL: a string is inserted as it is (only our own text and checked names), another piece brings its values.
 * Values are bound by `bind`, never written into the text.
 */
export function sql(strings: TemplateStringsArray, ...parts: readonly (Sql | string)[]): Sql {
  let text = strings[0]!;
  let args: readonly Bound[] = NONE;
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index]!;
    if (typeof part === "string") text += part;
    else {
      text += part.text;
      if (part.args.length > 0) args = args.length > 0 ? [...args, ...part.args] : part.args;
    }
    text += strings[index + 1]!;
  }
  return { text, args };
}

const NONE: readonly Bound[] = [];

/**
 * A bound value. A whole number beyond 2^53 is bound as the integer that SQLite reads from the same number in JSON, or
 * equality would compare a rounded number with an exact one.
 */
export function bind(value: Bound): Sql {
  if (
    typeof value === "number" &&
    Number.isInteger(value) &&
    !Number.isSafeInteger(value) &&
    Math.abs(value) < 2 ** 63
  ) {
    return { text: "?", args: [BigInt(JSON.stringify(value))] };
  }
  return { text: "?", args: [value] };
}

/** Limits up to this have a statement of their own. */
const MOST_WRITTEN = 1_000;

/**
 * At most this many rows, after skipping some. SQLite plans by the limit: with a bound one it makes a new plan for each
 * run, which costs more than finding a row. So the number is part of the text.
 */
export function limited(limit: number, offset = 0): Sql {
  const isWritten = Number.isInteger(limit) && limit <= MOST_WRITTEN;
  const most = isWritten ? sql` limit ${String(limit)}` : sql` limit ${bind(limit)}`;
  return offset ? sql`${most} offset ${bind(offset)}` : most;
}

/** Joins pieces by a connective; none at all is the given neutral element. */
export function joinSql(pieces: readonly Sql[], connective: " and " | " or ", neutral: "0" | "1"): Sql {
  if (pieces.length === 0) return { text: neutral, args: NONE };
  if (pieces.length === 1) return pieces[0]!;
  return {
    text: `(${pieces.map((piece) => piece.text).join(connective)})`,
    args: pieces.flatMap((piece) => piece.args),
  };
}

/** `is not true` covers false and unknown, which is how a query is negated. */
export const negated = (piece: Sql): Sql => sql`(${piece}) is not true`;

/** A name in double quotes; names are checked where they come from. */
export const quoted = (name: string): string => `"${name}"`;
