/**
 * Whether a text is the canonical base64url of some bytes (RFC 4648 §5, without padding): unused bits of the last
 * character are zero. Decoders ignore those bits and padding, so that one token could be written in many ways.
 */
export const isCanonical = (text: string): boolean => Buffer.from(text, "base64url").toString("base64url") === text;
