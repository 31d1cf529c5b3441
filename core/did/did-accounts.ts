import { secp256k1 } from "@noble/curves/secp256k1.js";
import { addressOfPoint, readAddress } from "./evm-addresses.ts";
import type { DidDocument } from "./did-documents.ts";

/** An account of an EVM chain: CAIP-10 without its namespace. */
export interface ChainAccount {
  chainId: number;
  address: string;
}
export interface EthrAccount extends ChainAccount {
  publicKey?: Uint8Array;
}

export const RECOVERY_CONTEXT = [
  "https://www.w3.org/ns/did/v1",
  {
    blockchainAccountId: "https://w3id.org/security#blockchainAccountId",
    EcdsaSecp256k1RecoveryMethod2020:
      "https://identity.foundation/EcdsaSecp256k1RecoverySignature2020#EcdsaSecp256k1RecoveryMethod2020",
  },
];

/** did:pkh of an EVM account (did-pkh, CAIP-10 namespace eip155); null for other namespaces and wrong addresses. */
export function readPkh(did: string): ChainAccount | null {
  const match = /^did:pkh:eip155:([1-9]\d{0,14}):(0x[0-9a-fA-F]{40})$/.exec(did);
  const address = match && readAddress(match[2]!);
  return address ? { chainId: Number(match![1]), address } : null;
}

export const pkhOf = ({ chainId, address }: ChainAccount): string => `did:pkh:eip155:${chainId}:${address}`;

export const accountId = ({ chainId, address }: ChainAccount): string => `eip155:${chainId}:${address}`;

/** The document is computed from the DID: who signs so that the address is recovered speaks for it. */
export function pkhDocument(did: string, account: ChainAccount): DidDocument {
  const id = `${did}#blockchainAccountId`;
  return {
    "@context": RECOVERY_CONTEXT,
    id: did,
    verificationMethod: [
      { id, type: "EcdsaSecp256k1RecoveryMethod2020", controller: did, blockchainAccountId: accountId(account) },
    ],
    authentication: [id],
    assertionMethod: [id],
  };
}

/** Networks that did:ethr names; others are written as `0x…`. */
const NETWORKS: Readonly<Record<string, number>> = {
  mainnet: 1,
  sepolia: 11_155_111,
  holesky: 17_000,
  polygon: 137,
  gno: 100,
  ewc: 246,
};

/** did:ethr: an address or a compressed public key, on mainnet or the network named before it. */
export function readEthr(did: string): EthrAccount | null {
  const match = /^did:ethr:(?:([a-z]+|0x[0-9a-fA-F]{1,12}):)?(0x[0-9a-fA-F]{40}|0x0[23][0-9a-fA-F]{64})$/.exec(did);
  if (!match) return null;
  const [, network, subject] = match as unknown as [string, string | undefined, string];
  const chainId =
    network === undefined
      ? 1
      : network.startsWith("0x")
        ? Number(network)
        : Object.hasOwn(NETWORKS, network)
          ? NETWORKS[network]!
          : 0;
  if (!chainId) return null;
  if (subject.length === 42) {
    const address = readAddress(subject);
    return address ? { chainId, address } : null;
  }
  try {
    const point = secp256k1.Point.fromHex(subject.slice(2));
    return { chainId, address: addressOfPoint(point.toBytes(false)), publicKey: point.toBytes(true) };
  } catch {
    return null;
  }
}

export const ethrOf = ({ chainId, address }: ChainAccount): string =>
  chainId === 1 ? `did:ethr:${address}` : `did:ethr:0x${chainId.toString(16)}:${address}`;
