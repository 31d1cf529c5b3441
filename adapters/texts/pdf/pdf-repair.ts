import { packedObjects, streamsOf } from "./pdf-objects.ts";

const OBJECT = /\b(\d{1,7}) (\d{1,5}) obj\b/g;
/** How much of an object is searched for its type. */
const LOOKED_AT = 4_096;
/** Object numbers that no file has. */
const CATALOG = 8_388_606;
const PAGES = 8_388_607;

interface Found {
  reference: string;
  type: string;
}

/** Objects with a stated type, in the order of the file. */
function objectsOf(text: string): Found[] {
  const found: Found[] = [];
  let next: RegExpExecArray | undefined;
  const matches = text.matchAll(OBJECT);
  for (let match = matches.next().value; match; match = next) {
    next = matches.next().value;
    const from = match.index + match[0].length;
    // Up to the next object, so that a file with millions of object heads is read only once.
    const body = text.slice(from, Math.min(from + LOOKED_AT, next?.index ?? text.length));
    const end = body.search(/endobj|stream/);
    const type = /\/Type\s*\/(Catalog|Page)\b/.exec(end < 0 ? body : body.slice(0, end))?.[1];
    if (type) found.push({ reference: `${match[1]} ${match[2]} R`, type });
  }
  return found;
}

/**
 * The file with a new trailer that leads to its pages again: to its last catalogue, or else to a new tree of all pages.
 * Empty where it has neither.
 */
export function repaired(bytes: Buffer): { byCatalog?: Buffer; byPages?: Buffer } {
  const packed = packedObjects(bytes);
  const objects = [...objectsOf(bytes.toString("latin1")), ...objectsOf(packed)];
  const catalog = objects.findLast(({ type }) => type === "Catalog");
  const pages = [...new Set(objects.filter(({ type }) => type === "Page").map(({ reference }) => reference))];
  // A truncated stream ends here: its reader gets what there is.
  const isCut = streamsOf(bytes).some(({ isWhole }) => !isWhole);
  const ending = (root: string, more = ""): Buffer =>
    Buffer.concat([
      bytes,
      Buffer.from(
        `\n${isCut ? "endstream\nendobj\n" : ""}${packed}${more}trailer\n<< /Root ${root} >>\nstartxref\n0\n%%EOF\n`,
        "latin1",
      ),
    ]);
  const tree =
    `${CATALOG} 0 obj\n<< /Type /Catalog /Pages ${PAGES} 0 R >>\nendobj\n` +
    `${PAGES} 0 obj\n<< /Type /Pages /Count ${pages.length} /Kids [${pages.join(" ")}] >>\nendobj\n`;
  return {
    ...(catalog && { byCatalog: ending(catalog.reference) }),
    ...(pages.length && { byPages: ending(`${CATALOG} 0 R`, tree) }),
  };
}
