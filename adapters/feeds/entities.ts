import { decodeHTML, decodeHTMLAttribute } from "entities";

const controls = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]+/g;

/** Decodes HTML's entities; a reference to a control character (`&#8;`) leaves nothing. */
export const decodedText = (raw: string): string => (raw.includes("&") ? decodeHTML(raw).replace(controls, "") : raw);

/** The same by the rules for attributes, where `&copy=1` in an address is no entity. */
export const decodedAttribute = (raw: string): string =>
  raw.includes("&") ? decodeHTMLAttribute(raw).replace(controls, "") : raw;
