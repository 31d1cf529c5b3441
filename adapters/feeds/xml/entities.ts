import { decodeHTML, decodeHTMLAttribute, decodeXML } from "entities";

/** What Windows-1252 has where Unicode has control characters (WHATWG HTML, "numeric character reference end state"). */
const windows1252 = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ";
const inWindows1252 = (control: string): string => {
  const meant = windows1252[control.charCodeAt(0) - 0x80]!;
  return meant === control ? "" : meant;
};

/** Control characters of C1 as what they were meant to be: publishers mislabel Windows-1252. Unassigned ones go. */
export const withoutC1 = (text: string): string => text.replace(/[\x80-\x9f]/g, inWindows1252);

/** Decodes XML's entities, and references to C1 as HTML does. */
export const decodedXml = (raw: string): string => (raw.includes("&") ? withoutC1(decodeXML(raw)) : raw);

const controls = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]+/g;

/** Decodes HTML's entities; a reference to a control character (`&#8;`) leaves nothing. */
export const decodedText = (raw: string): string => (raw.includes("&") ? decodeHTML(raw).replace(controls, "") : raw);

/** As above by the rules for attributes, where `&copy=1` in an address is no entity. */
export const decodedAttribute = (raw: string): string =>
  raw.includes("&") ? decodeHTMLAttribute(raw).replace(controls, "") : raw;
