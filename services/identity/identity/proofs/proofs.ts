import { readAddress } from "../../../../core/did/evm-addresses.ts";
import type { DidDocument } from "../../../../core/did/did-documents.ts";
import { readJwk, readMultibase, type PublicKey } from "../../../../core/did/key-encodings.ts";
import { verifies } from "../../../../core/did/signatures.ts";

/** Who may speak for a DID: a key, or an address that signatures are recovered to. */
export interface Speaker {
  id: string;
  key?: PublicKey;
  address?: string;
}

/** The verification methods that a document names for authentication (DID Core §5.3.1), where we can use them. */
export function speakersOf({ verificationMethod = [], authentication = [] }: DidDocument): Speaker[] {
  const methods = authentication.map(
    (one) =>
      (typeof one === "string" ? verificationMethod.find(({ id }) => id === one) : one) as
        | Record<string, unknown>
        | undefined,
  );
  return methods.flatMap((method) => (method ? (speakerOf(method) ?? []) : []));
}

function speakerOf(method: Record<string, unknown>): Speaker | null {
  const { id, publicKeyMultibase, publicKeyJwk, blockchainAccountId } = method as {
    id: string;
    publicKeyMultibase?: unknown;
    publicKeyJwk?: unknown;
    blockchainAccountId?: unknown;
  };
  if (typeof blockchainAccountId === "string") {
    const address = readAddress(/^eip155:\d+:(0x\w{40})$/.exec(blockchainAccountId)?.[1] ?? "");
    return address ? { id, address } : null;
  }
  const key =
    typeof publicKeyMultibase === "string"
      ? readMultibase(publicKeyMultibase)
      : typeof publicKeyJwk === "object" && publicKeyJwk
        ? readJwk(publicKeyJwk as Record<string, unknown>)
        : null;
  return key && { id, key };
}

/** EIP-191: the address that a personal message was signed by; null for what is no signature. */
async function signerOf(message: string, signature: string): Promise<string | null> {
  const { recoverMessageAddress } = await import("viem");
  return recoverMessageAddress({ message, signature: `0x${Buffer.from(signature, "base64url").toString("hex")}` }).then(
    readAddress,
    () => null,
  );
}

/** Which of the speakers made the signature (base64url) over the text; null when none did. */
export async function spokenBy(
  speakers: readonly Speaker[],
  message: string,
  signature: string,
): Promise<Speaker | null> {
  const [data, bytes] = [Buffer.from(message), Buffer.from(signature, "base64url")];
  const byKey = speakers.find(({ key }) => key && verifies(key, data, bytes));
  if (byKey || !speakers.some(({ address }) => address)) return byKey ?? null;
  const signer = await signerOf(message, signature);
  return speakers.find(({ address }) => address !== undefined && address === signer) ?? null;
}
