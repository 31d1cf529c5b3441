/** What a spreadsheet may read as a formula, also after invisible characters and in small or full-width variants. */
const FORMULA = /^[\s\p{C}\p{Z}]*[=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b]|^[\t\r]/u;

/** One cell of RFC 4180. Text that a spreadsheet would run as a formula gets an apostrophe; numbers stay. */
export function cell(value: string | number | boolean | undefined): string {
  if (value === undefined) return "";
  if (typeof value !== "string") return String(value);
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A line of RFC 4180, with its end. */
export const row = (values: readonly (string | number | boolean | undefined)[]): string =>
  `${values.map(cell).join(",")}\r\n`;
