/** Nobody's data is nested deeper: what walks through it would run out of stack. */
export const DEEPEST = 200;

/** Whether a JSON text nests deeper than data may, told from its brackets outside of strings. */
export function nestsTooDeep(text: string): boolean {
  if (text.length <= DEEPEST) return false;
  let depth = 0,
    inString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === 0x5c) at++; // backslash
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > DEEPEST) return true;
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
  return false;
}
