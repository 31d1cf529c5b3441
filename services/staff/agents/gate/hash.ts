import canonicalize from "canonicalize";
import { sha256 } from "../../../../core/ids.ts";

/** SHA-256 over the canonical JSON (RFC 8785) of a value. */
export const hashOf = (value: unknown): string => sha256(canonicalize(value) ?? "");
