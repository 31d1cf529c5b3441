import type { GetLogsReturnType, PublicClient } from "viem";
import { notConfigured, Problem, upstream, upstreamAway } from "../../core/problem.ts";

export interface Balance {
  wei: bigint;
  block: bigint;
}

/**
 * Read-only access to an EVM chain, for balances and identities of accounts. Throws Problems: 502/504 `UPSTREAM_*`, 503
 * where the node belongs to another chain.
 */
export interface Chain {
  readonly chainId: number;
  /** The balance of an address at the newest block, in wei. */
  balance(address: string): Promise<Balance>;
  /**
   * The entries of the identity registry (ERC-1056) about an address, oldest first; undefined where the chain has no
   * registry.
   */
  identityEvents(address: string): Promise<IdentityEvent[] | undefined>;
}

/** An entry of ERC-1056. `validTo` is in seconds since the epoch; a revoked entry ends at its revocation. */
export type IdentityEvent =
  | { kind: "owner"; owner: string }
  | { kind: "delegate"; type: string; delegate: string; validTo: bigint }
  | { kind: "attribute"; name: string; value: Buffer; validTo: bigint };

declare module "../../core/world.ts" {
  interface World {
    chain: Chain | undefined;
  }
}

export interface ChainSettings {
  url: string;
  chainId: number;
  timeoutMs?: number;
}

/** EthereumDIDRegistry (ERC-1056), by chain; the first address is the default. */
const REGISTRIES: Readonly<Record<number, `0x${string}`>> = {
  11_155_111: "0x03d5003bf0e79C5F5223588F347ebA39AfbC3818",
  17_000: "0x03d5003bf0e79C5F5223588F347ebA39AfbC3818",
  100: "0x03d5003bf0e79C5F5223588F347ebA39AfbC3818",
  246: "0xE29672f34e92b56C9169f9D485fFc8b9A136BCE4",
};
const REGISTRY = "0xdCa7EF03e98e0DC2B855bE647C39ABe984fcF21B";
const identity = { name: "identity", type: "address", indexed: true } as const;
const previousChange = { name: "previousChange", type: "uint256" } as const;
const validTo = { name: "validTo", type: "uint256" } as const;
const ABI = [
  {
    type: "function",
    name: "changed",
    stateMutability: "view",
    inputs: [{ name: "identity", type: "address" }],
    outputs: [{ name: "", type: "uint256" }],
  },
  { type: "event", name: "DIDOwnerChanged", inputs: [identity, { name: "owner", type: "address" }, previousChange] },
  {
    type: "event",
    name: "DIDDelegateChanged",
    inputs: [
      identity,
      { name: "delegateType", type: "bytes32" },
      { name: "delegate", type: "address" },
      validTo,
      previousChange,
    ],
  },
  {
    type: "event",
    name: "DIDAttributeChanged",
    inputs: [identity, { name: "name", type: "bytes32" }, { name: "value", type: "bytes" }, validTo, previousChange],
  },
] as const;
/** The most blocks with changes of one identity that we read. */
const MOST_BLOCKS = 200;
/** The most changes of one identity that we read: a block may have hundreds. */
const MOST_CHANGES = 1_000;

const tooManyChanges = (): Problem =>
  upstream(502, "UPSTREAM_FAILED", "This identity has changed too often to be read.");

type Events = [(typeof ABI)[1], (typeof ABI)[2], (typeof ABI)[3]];
type Log = GetLogsReturnType<undefined, Events>[number];

/** Text of at most 32 bytes, padded with zeros. */
const textOf = (bytes32: string): string => Buffer.from(bytes32.slice(2), "hex").toString("utf8").split("\0", 1)[0]!;

function eventOf({ eventName, args }: Log): IdentityEvent {
  if (eventName === "DIDOwnerChanged") return { kind: "owner", owner: args.owner! };
  if (eventName === "DIDDelegateChanged")
    return { kind: "delegate", type: textOf(args.delegateType!), delegate: args.delegate!, validTo: args.validTo! };
  return {
    kind: "attribute",
    name: textOf(args.name!),
    value: Buffer.from(args.value!.slice(2), "hex"),
    validTo: args.validTo!,
  };
}

class RpcChain implements Chain {
  readonly chainId: number;
  readonly #settings: ChainSettings;
  #client: Promise<PublicClient> | undefined;

  constructor(settings: ChainSettings) {
    this.chainId = settings.chainId;
    this.#settings = settings;
  }

  balance(address: string): Promise<Balance> {
    return this.#ask(async (client) => {
      // Both from one block, whatever is mined in between.
      const block = await client.getBlockNumber({ cacheTime: 0 });
      return { wei: await client.getBalance({ address: address as `0x${string}`, blockNumber: block }), block };
    });
  }

  /**
   * Each change names the block of the one before: this chain is followed backwards, whatever else the registry
   * contains.
   */
  identityEvents(address: string): Promise<IdentityEvent[] | undefined> {
    const registry = REGISTRIES[this.chainId] ?? REGISTRY;
    return this.#ask(async (client) => {
      if (!(await client.getCode({ address: registry }))) return undefined;
      const events: IdentityEvent[] = [];
      let block = await client.readContract({
        address: registry,
        abi: ABI,
        functionName: "changed",
        args: [address as `0x${string}`],
      });
      for (let blocks = 0; block > 0n; blocks++) {
        if (blocks === MOST_BLOCKS) throw tooManyChanges();
        const logs = (
          await client.getLogs({
            address: registry,
            events: ABI.slice(1) as unknown as Events,
            fromBlock: block,
            toBlock: block,
          })
        ).filter(({ args }) => args.identity?.toLowerCase() === address.toLowerCase());
        if (events.length + logs.length > MOST_CHANGES) throw tooManyChanges();
        events.unshift(...logs.map(eventOf));
        const before = logs[0]?.args.previousChange ?? 0n;
        // A node that has no entry for the block, or points forward, would lead into an endless loop.
        if (!logs.length || before >= block)
          throw upstream(502, "UPSTREAM_FAILED", "The chain's node does not give the changes of this identity.");
        block = before;
      }
      return events;
    });
  }

  async #ask<T>(work: (client: PublicClient) => Promise<T>): Promise<T> {
    const opened = (this.#client ??= this.#open());
    try {
      return await work(await opened);
    } catch (error) {
      if (this.#client === opened && error instanceof Problem) this.#client = undefined;
      throw error instanceof Problem ? error : problemOf(error);
    }
  }

  /** viem is loaded on first use; the node must belong to the configured chain. */
  async #open(): Promise<PublicClient> {
    const { createPublicClient, http } = await import("viem");
    const { url, chainId, timeoutMs = 10_000 } = this.#settings;
    const client = createPublicClient({ transport: http(url, { timeout: timeoutMs, retryCount: 1 }) });
    const found = await client.getChainId().catch((error: unknown) => {
      throw problemOf(error);
    });
    if (found !== chainId) throw notConfigured(`CHAIN_RPC_URL answers for chain ${found}, CHAIN_ID says ${chainId}.`);
    return client;
  }
}

/** The node's address may contain a key, and viem's messages contain the address: so only our own words are shown. */
function problemOf(error: unknown): Problem {
  for (let at = error as { name?: string; cause?: unknown } | undefined; at; at = at.cause as typeof at)
    if (at.name === "TimeoutError")
      return upstreamAway(504, "UPSTREAM_TIMEOUT", "The chain's node does not answer in time.");
  return upstreamAway(502, "UPSTREAM_FAILED", "The chain's node cannot be reached or answers what we cannot use.");
}

/** A chain by its JSON-RPC address; the first request is sent on first use. */
export const chainAt = (settings: ChainSettings): Chain => new RpcChain(settings);
