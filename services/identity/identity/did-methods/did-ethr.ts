import type { IdentityEvent } from "../../../../adapters/chain/chain.ts";
import { checksummed } from "../../../../core/did/evm-addresses.ts";
import { accountId, RECOVERY_CONTEXT, type EthrAccount } from "../../../../core/did/did-accounts.ts";
import type { DidDocument } from "../../../../core/did/did-documents.ts";
import { each, type Steps } from "../../../../core/work/turns.ts";
import { isPoint, jwkOf, multibaseOf, type KeyType } from "../../../../core/did/key-encodings.ts";

/**
 * did:ethr: what the registry (ERC-1056) tells of an identity, read as its method says (ethr-did-resolver, "DID
 * document building").
 */
const NOBODY = /^0x0{40}$/;
const ATTRIBUTE = /^did\/(pub|svc)\/(\w+)(?:\/(\w+))?/;
const ALGORITHMS: Readonly<Record<string, KeyType>> = { Secp256k1: "secp256k1", Ed25519: "Ed25519", X25519: "X25519" };

type Method = NonNullable<DidDocument["verificationMethod"]>[number];
interface Entry {
  method?: Method;
  service?: { id: string; type: string; serviceEndpoint: unknown };
  authenticates?: boolean;
  agrees?: boolean;
}

/** The owner by the last entry about it, or the identity itself; null where it was given up. */
function ownerBy(events: readonly IdentityEvent[], account: EthrAccount): string | null {
  const last = events.findLast((event) => event.kind === "owner");
  if (!last) return account.address;
  return NOBODY.test(last.owner) ? null : checksummed(last.owner);
}

/** Each entry's own words, so that a later one about the same thing takes its place. */
const subjectOf = (event: IdentityEvent): string =>
  event.kind === "delegate"
    ? `${event.type}\n${event.delegate}`
    : event.kind === "attribute"
      ? `${event.name}\n${event.value.toString("hex")}`
      : event.kind;

/**
 * Entries in force at this second, numbered as the method numbers them: revoked ones keep their number. A key is read
 * for what is in force alone, a step each: whoever wrote the entries chose how many.
 */
function* entriesOf(did: string, chainId: number, events: readonly IdentityEvent[], now: number): Steps<Entry[]> {
  const inForce = new Map<string, () => Entry | null>();
  let delegates = 0,
    services = 0;
  for (const event of events) {
    if (event.kind === "owner") continue;
    const isService = event.kind === "attribute" && event.name.startsWith("did/svc/");
    const number = isService ? ++services : ++delegates;
    const read = (): Entry | null =>
      event.kind === "delegate"
        ? delegateOf(did, chainId, number, event)
        : isService
          ? serviceOf(did, number, event)
          : keyOf(did, number, event);
    if (event.validTo >= BigInt(now)) inForce.set(subjectOf(event), read);
    else inForce.delete(subjectOf(event));
  }
  const entries = yield* each(inForce.values(), (read) => read());
  return entries.filter((entry) => entry !== null);
}

function delegateOf(
  did: string,
  chainId: number,
  number: number,
  { type, delegate }: IdentityEvent & { kind: "delegate" },
): Entry | null {
  if (type !== "veriKey" && type !== "sigAuth") return null;
  const method = {
    id: `${did}#delegate-${number}`,
    type: "EcdsaSecp256k1RecoveryMethod2020",
    controller: did,
    blockchainAccountId: accountId({ chainId, address: checksummed(delegate) }),
  };
  return { method, authenticates: type === "sigAuth" };
}

function keyOf(did: string, number: number, { name, value }: IdentityEvent & { kind: "attribute" }): Entry | null {
  const [, section, algorithm, purpose] = ATTRIBUTE.exec(name) ?? [];
  const type =
    section === "pub" && algorithm !== undefined && Object.hasOwn(ALGORITHMS, algorithm)
      ? ALGORITHMS[algorithm]!
      : null;
  const key = type && { type, bytes: value };
  if (!key || !isPoint(key)) return null;
  const method = {
    id: `${did}#delegate-${number}`,
    type: "Multikey",
    controller: did,
    publicKeyMultibase: multibaseOf(key),
  };
  return { method, authenticates: purpose === "sigAuth", agrees: purpose === "enc" };
}

function serviceOf(did: string, number: number, { name, value }: IdentityEvent & { kind: "attribute" }): Entry {
  return {
    service: {
      id: `${did}#service-${number}`,
      type: ATTRIBUTE.exec(name)?.[2] ?? "Service",
      serviceEndpoint: value.toString("utf8"),
    },
  };
}

/** The document of an identity; null where it was given up. `now` is in seconds since the epoch. */
export function* ethrDocument(
  did: string,
  account: EthrAccount,
  events: readonly IdentityEvent[],
  now: number,
): Steps<DidDocument | null> {
  const owner = ownerBy(events, account);
  if (owner === null) return null;
  const controller = {
    id: `${did}#controller`,
    type: "EcdsaSecp256k1RecoveryMethod2020",
    controller: did,
    blockchainAccountId: accountId({ ...account, address: owner }),
  };
  // A public key in the DID speaks for it until somebody else owns it.
  const own =
    account.publicKey && owner === account.address
      ? [
          {
            id: `${did}#controllerKey`,
            type: "EcdsaSecp256k1VerificationKey2019",
            controller: did,
            publicKeyJwk: jwkOf({ type: "secp256k1", bytes: account.publicKey }),
          },
        ]
      : [];
  const entries = yield* entriesOf(did, account.chainId, events, now);
  const first = [controller.id, ...own.map(({ id }) => id)];
  const idsOf = (wanted: (entry: Entry) => boolean | undefined) =>
    entries.filter((entry) => entry.method && wanted(entry)).map(({ method }) => method!.id);
  const agreeing = idsOf(({ agrees }) => agrees);
  const services = entries.flatMap(({ service }) => service ?? []);
  return {
    "@context": RECOVERY_CONTEXT,
    id: did,
    verificationMethod: [controller, ...own, ...entries.flatMap(({ method }) => method ?? [])],
    authentication: [...first, ...idsOf(({ authenticates }) => authenticates)],
    assertionMethod: [...first, ...idsOf(({ agrees }) => !agrees)],
    ...(agreeing.length && { keyAgreement: agreeing }),
    ...(services.length && { service: services }),
  };
}
