import { z } from "zod";
import { sha256 } from "../../../../core/ids.ts";
import { unprocessable } from "../../../../core/problem.ts";
import { canonicalChoice, type Choice, type VoteKind } from "./choices.ts";

/** Structured data that a wallet shows and signs (EIP-712), in the form of `eth_signTypedData_v4`. */
export const TypedData = z
  .object({
    domain: z.object({ name: z.string(), version: z.string(), salt: z.string() }),
    types: z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() }))),
    primaryType: z.string(),
    message: z.record(z.string(), z.union([z.string(), z.int()])),
  })
  .meta({ id: "DaoTypedData", description: "EIP-712 typed data: hand it to `eth_signTypedData_v4` as it is." });
export type TypedData = z.output<typeof TypedData>;

/** r, s and v of secp256k1, 65 bytes. */
export const Signed = z.string().regex(/^0x[0-9a-fA-F]{130}$/, "Must be 0x and 130 hexadecimal digits.");

const DOMAIN_TYPE = [
  { name: "name", type: "string" },
  { name: "version", type: "string" },
  { name: "salt", type: "bytes32" },
];
/**
 * Each DAO is a domain of its own (there is no chain or contract to tell them apart), by the SHA-256 of its id as salt.
 */
const domainOf = (daoId: string): TypedData["domain"] => ({
  name: "Signalmesh DAO",
  version: "1",
  salt: `0x${sha256(daoId)}`,
});

/**
 * What signs a vote. The nonce is how often this voter has voted on the proposal, so that an earlier signature cannot
 * bring an earlier choice back.
 */
export const voteTypedData = (
  vote: { daoId: string; proposalId: string; voter: string; changes: number },
  kind: VoteKind,
  choice: Choice,
): TypedData => ({
  domain: domainOf(vote.daoId),
  types: {
    EIP712Domain: DOMAIN_TYPE,
    Vote: [
      { name: "proposal", type: "string" },
      { name: "voter", type: "string" },
      { name: "choice", type: "string" },
      { name: "nonce", type: "uint256" },
    ],
  },
  primaryType: "Vote",
  message: { proposal: vote.proposalId, voter: vote.voter, choice: canonicalChoice(kind, choice), nonce: vote.changes },
});

/** What proves that an address is the voter's. */
export const addressTypedData = (daoId: string, voter: string, address: string): TypedData => ({
  domain: domainOf(daoId),
  types: {
    EIP712Domain: DOMAIN_TYPE,
    VotingAddress: [
      { name: "dao", type: "string" },
      { name: "voter", type: "string" },
      { name: "account", type: "address" },
    ],
  },
  primaryType: "VotingAddress",
  message: { dao: daoId, voter, account: address },
});

/**
 * The EIP-712 hash of typed data, and the address (in lower case) whose key made the signature. Throws 422
 * `SIGNATURE_INVALID` where none did.
 */
export async function signerOf(data: unknown, signature: string): Promise<{ digest: string; signer: string }> {
  // Loaded with the first signature: most installations never see one.
  const { hashTypedData, recoverAddress } = await import("viem/utils");
  try {
    const digest = hashTypedData(data as Parameters<typeof hashTypedData>[0]);
    const signer = await recoverAddress({ hash: digest, signature: signature as `0x${string}` });
    return { digest, signer: signer.toLowerCase() };
  } catch {
    throw unprocessable("SIGNATURE_INVALID", "signature: this is not a signature of the typed data.");
  }
}

/**
 * The same, held against the addresses it may come from. Throws 422 `SIGNATURE_INVALID` where it comes from another.
 */
export async function signedBy(
  addresses: readonly string[],
  data: TypedData,
  signature: string,
): Promise<{ signature: string; signer: string; digest: string }> {
  const { digest, signer } = await signerOf(data, signature);
  const expected = addresses.map((address) => address.toLowerCase());
  if (!expected.includes(signer))
    throw unprocessable("SIGNATURE_INVALID", "signature: it does not come from the voter's address over just this.", {
      expected,
    });
  return { signature, signer, digest };
}
