/** What a spreadsheet takes for the beginning of a formula, after blanks, in full-width letters too. */
const FORMULA = /^[\s\u200b\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r]/u;

/** One cell of RFC 4180. Text that a spreadsheet would carry out as a formula stands behind an apostrophe; numbers stay. */
export function cell(value: string | number | boolean | undefined): string {
  if (value === undefined) return "";
  if (typeof value !== "string") return String(value);
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A line of RFC 4180, with its end. */
export const row = (values: readonly (string | number | boolean | undefined)[]): string =>
  `${values.map(cell).join(",")}\r\n`;
