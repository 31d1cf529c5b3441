import { createHmac, type KeyObject } from "node:crypto";
import { z } from "zod";
import { entity, type Item } from "../../../../core/records/entity.ts";
import { encodeBits, LEAST_ENTRIES } from "./bitstring.ts";

export const PURPOSES = ["revocation", "suspension"] as const;
export type Purpose = (typeof PURPOSES)[number];

/**
 * One list of entries; a credential's entry stands at the same index for each purpose. Its revision rises with each
 * change of a bit.
 */
export const StatusList = entity("credentials.statusLists", {
  title: "status list",
  collection: "credential_status_lists",
  id: "number",
  fields: {
    taken: z.int().default(0).describe("How many entries were given out."),
    /** Which key orders its entries: under another key the same entry would be given twice. */
    order: z.string(),
  },
  readonly: ["taken", "order"],
  indexes: [{ fields: ["order", "taken"] }],
});
export type StatusList = Item<typeof StatusList>;

/** Where a credential's status stands. */
export interface StatusPosition {
  list: number;
  index: number;
}

const HALF_BITS = 9;
const HALF = (1 << HALF_BITS) - 1;

/**
 * The index of the n-th entry of a list: a keyed permutation (four-round Feistel network on 18 bits, walking the cycle
 * back into range), so that neighbouring indices tell nothing of who was issued to when (Bitstring Status List §5.2),
 * and none is given twice. Eight HMACs on average; made of bytes anew each, the key would cost seven times what they
 * do.
 */
export function indexOf(key: KeyObject, list: number, nth: number): number {
  const round = (turn: number, half: number): number =>
    createHmac("sha256", key).update(`${list}/${turn}/${half}`).digest().readUInt16BE(0) & HALF;
  let value = nth;
  do {
    let left = value >> HALF_BITS,
      right = value & HALF;
    for (let turn = 0; turn < 4; turn++) [left, right] = [right, left ^ round(turn, right)];
    value = (left << HALF_BITS) | right;
  } while (value >= LEAST_ENTRIES);
  return value;
}

export const listUrl = (base: string, list: number, purpose: Purpose): string =>
  `${base}/api/credentials/status/${list}/${purpose}`;

/** Which of our lists an address names; undefined for a foreign one. */
export function ownList(base: string, url: string): { list: number; purpose: Purpose } | undefined {
  const prefix = `${base}/api/credentials/status/`;
  const [, list, purpose] =
    (url.startsWith(prefix) && /^(\d{1,9})\/(revocation|suspension)$/.exec(url.slice(prefix.length))) || [];
  return list ? { list: Number(list), purpose: purpose as Purpose } : undefined;
}

/** The `credentialStatus` of a credential: one entry for each purpose (Bitstring Status List §2.1). */
export const statusEntries = (base: string, { list, index }: StatusPosition) =>
  PURPOSES.map((purpose) => ({
    id: `${listUrl(base, list, purpose)}#${index}`,
    type: "BitstringStatusListEntry",
    statusPurpose: purpose,
    statusListIndex: String(index),
    statusListCredential: listUrl(base, list, purpose),
  }));

/** How long a reader may keep a list. */
export const TTL_MS = 60_000;

/** The unsecured status list credential (§2.2) with these bits set. */
export function listCredential(
  url: string,
  purpose: Purpose,
  issuer: string,
  indices: Iterable<number>,
  validFrom: string,
  validUntil: string,
): Record<string, unknown> {
  return {
    "@context": ["https://www.w3.org/ns/credentials/v2"],
    id: url,
    type: ["VerifiableCredential", "BitstringStatusListCredential"],
    issuer,
    validFrom,
    validUntil,
    credentialSubject: {
      id: `${url}#list`,
      type: "BitstringStatusList",
      statusPurpose: purpose,
      encodedList: encodeBits(indices),
      ttl: TTL_MS,
    },
  };
}
