/**
 * Whether a text is the one way to write some bytes in base64url (RFC 4648 §5, without padding): of the bits that the
 * last character has beyond them, none is set. Decoders pass over others, and padding, so that one token would have
 * many texts.
 */
export const isCanonical = (text: string): boolean => Buffer.from(text, "base64url").toString("base64url") === text;
