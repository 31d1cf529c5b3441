/** A piece of XML that is whole. */
export interface Markup {
  markup: string;
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
/** What XML 1.0 has no way to write is left out. */
const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "")
    .replace(/[&<>"]/g, (sign) => ENTITIES[sign]!);

/** A parser makes spaces of line ends and tabs in attributes: they are written by number. */
const spaced = (text: string): string => text.replace(/[\t\n\r]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** An element with its attributes, and with text or other elements in it. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  content: string | readonly Markup[] = [],
): Markup {
  const given = Object.entries(attributes).map(([key, value]) => ` ${key}="${spaced(escaped(String(value)))}"`);
  const inside = typeof content === "string" ? escaped(content) : content.map(({ markup }) => markup).join("");
  const opening = `<${name}${given.join("")}`;
  return { markup: inside === "" ? `${opening}/>` : `${opening}>${inside}</${name}>` };
}
