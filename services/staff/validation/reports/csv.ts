/** What a spreadsheet takes for the beginning of a formula, after what is not seen, in small and full-width letters too. */
const FORMULA = /^[\s\p{C}\p{Z}]*[=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b]|^[\t\r]/u;

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
