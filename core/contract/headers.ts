import type { Detail } from "../problem.ts";

/** What a header of a request may hold, as the API description states it and the gateway demands it. */
interface Bound {
  most: number;
  pattern: string;
  words: string;
}

const PRINTABLE = "^[\\x20-\\x7e]*$";
const TAG = '(?:W/)?"[\\x21\\x23-\\x7e]*"';

/** By the header's name, as it is written. */
const HEADERS = {
  "Idempotency-Key": { most: 255, pattern: "^[\\x21-\\x7e]+$", words: "1 to 255 visible ASCII characters" },
  "If-Match": {
    most: 255,
    pattern: `^ *(?:\\*|${TAG}(?: *, *${TAG})*) *$`,
    words: 'the ETag as it came, in its quotation marks: "r7-18vpv7ba8"; or *; at most 255 characters',
  },
  "Last-Event-ID": { most: 200, pattern: PRINTABLE, words: "at most 200 printable ASCII characters" },
  "X-DID": { most: 2_048, pattern: PRINTABLE, words: "at most 2,048 printable ASCII characters" },
} as const satisfies Record<string, Bound>;

/** The schema of a header, for the API description. */
export function headerSchema(name: keyof typeof HEADERS): Record<string, unknown> {
  const { most, pattern }: Bound = HEADERS[name];
  return { type: "string", ...(pattern.endsWith("+$") && { minLength: 1 }), maxLength: most, pattern };
}

const CHECKS = (Object.entries(HEADERS) as [string, Bound][]).map(([name, { pattern, ...bound }]) => ({
  ...bound,
  name,
  key: name.toLowerCase(),
  pattern: new RegExp(pattern),
}));

type Given = Readonly<Record<string, string | string[] | undefined>>;

/** The headers that hold what they may not, by name and in words. */
export function headerFaults(headers: Given): Detail[] {
  const faults: Detail[] = [];
  for (const { name, key, most, pattern, words } of CHECKS) {
    const given = headers[key];
    if (given === undefined) continue;
    if (typeof given !== "string" || given.length > most || !pattern.test(given))
      faults.push({ path: name, message: words });
  }
  return faults;
}
