const FIRST_UNITS = 4_096;

let units = new Uint16Array(FIRST_UNITS);
let bytes = Buffer.from(units.buffer);

/**
 * The UTF-16 units of a text, followed by a zero: reading them from the string costs twice as much. The next call
 * overwrites the answer.
 */
export function unitsOf(text: string): Uint16Array {
  if (text.length >= units.length) {
    units = new Uint16Array(2 * text.length);
    bytes = Buffer.from(units.buffer);
  }
  bytes.write(text, "utf16le");
  units[text.length] = 0;
  return units;
}

/** Whether all characters of a text are ASCII. */
export const isAscii = (text: string): boolean => Buffer.byteLength(text) === text.length;
