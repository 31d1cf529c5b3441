import { invalid, MOST_DETAILS, type Detail } from "../../problem.ts";

const NO_UNICODE = "It is no Unicode text.";
const BOUNDLESS = "It is larger than a number can be here.";

/** Refuses text that is no Unicode. Throws 400 that names the fields. */
export const refuseFields = (
  paths: Iterable<string>,
  message = "What was sent holds text that is no Unicode.",
): never => {
  throw invalid(
    [...paths].map((path): Detail => ({ path: path.toWellFormed(), message: NO_UNICODE })),
    message,
  );
};

/**
 * Paths of the texts and numbers in a JSON value, names of fields among them, that `isBad` finds bad; at most twenty.
 * `within` leads to the value where it is a part of another.
 */
function leavesThat(
  isBad: (leaf: string | number) => boolean,
  value: unknown,
  within: readonly (string | number)[] = [],
): string[] {
  const found: string[] = [];
  const walk = (node: unknown, path: string): void => {
    if (found.length >= MOST_DETAILS) return;
    if (typeof node === "string" || typeof node === "number") {
      if (isBad(node)) found.push(path);
    } else if (Array.isArray(node))
      for (let at = 0; at < node.length; at++) walk(node[at], path ? `${path}.${at}` : `${at}`);
    else if (node !== null && typeof node === "object")
      for (const name in node) {
        const inner = path ? `${path}.${name}` : name;
        if (isBad(name)) found.push(inner);
        else walk((node as Record<string, unknown>)[name], inner);
      }
  };
  walk(value, within.join("."));
  return found;
}

/** As `leavesThat`, of texts alone. */
export const textsThat = (
  isBad: (text: string) => boolean,
  value: unknown,
  within?: readonly (string | number)[],
): string[] => leavesThat((leaf) => typeof leaf === "string" && isBad(leaf), value, within);

/** A surrogate without its other half (Unicode 16.0, D75 and D84): canonical JSON has no form for it, nor has UTF-8. */
const isIllFormed = (text: string): boolean => !text.isWellFormed();

/** Whether all text in a JSON value is Unicode. */
export const isUnicode = (value: unknown): boolean => textsThat(isIllFormed, value).length === 0;

/** Throws 400, naming the fields, where text in a JSON value, or in this part of one, is no Unicode. */
export function refuseIllFormed(value: unknown, within?: readonly (string | number)[]): void {
  const bad = textsThat(isIllFormed, value, within);
  if (bad.length) refuseFields(bad);
}

/**
 * Throws 400, naming the fields, for numbers in a JSON value, or in this part of one, that were read as infinite
 * (`1e999`): nothing keeps one, nor has canonical JSON a form for it.
 */
export function refuseBoundless(value: unknown, within?: readonly (string | number)[]): void {
  const bad = leavesThat((leaf) => leaf === Infinity || leaf === -Infinity, value, within);
  if (bad.length) throw invalid(bad.map((path): Detail => ({ path: path.toWellFormed(), message: BOUNDLESS })));
}
