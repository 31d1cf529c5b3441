import { parse } from "did-resolver";
import { z } from "zod";
import { readEthr, readPkh, ethrOf, pkhOf } from "../../../../core/did/did-accounts.ts";

/** Longer ones are no DIDs of anybody's. */
export const LONGEST_DID = 1_024;

export interface ParsedDid {
  did: string;
  method: string;
  id: string;
}

/** Parses a DID (DID Core 1.0 §3.1), not a DID URL: a path, query or fragment makes it none. */
export function parseDid(text: string): ParsedDid | null {
  if (text.length > LONGEST_DID) return null;
  const parsed = parse(text);
  return parsed && parsed.did === text ? { did: text, method: parsed.method, id: parsed.id } : null;
}

/** As a parameter where the form must be right. */
export const DidText = z
  .string()
  .max(LONGEST_DID)
  .refine((text) => parseDid(text) !== null, "This is no DID: did:method:identifier (DID Core 1.0, section 3.1).");

/** One spelling for DIDs that name an address, which is written in several. */
export function canonicalDid(did: string): string {
  const pkh = readPkh(did);
  if (pkh) return pkhOf(pkh);
  const ethr = readEthr(did);
  return ethr && !ethr.publicKey ? ethrOf(ethr) : did;
}
