import type { PublicClient } from "viem";
import { notConfigured, Problem, upstream } from "../../core/problem.ts";

export interface Balance { wei: bigint; block: bigint }

/** An EVM chain, read only: the account's side of the house. Throws Problems: 502/504 `UPSTREAM_*`, 503 where the node is of another chain. */
export interface Chain {
  readonly chainId: number;
  /** What an address holds at the newest block, in wei. */
  balance(address: string): Promise<Balance>;
  /** The owner of an identity by its registry (ERC-1056); undefined where the chain has no such registry. */
  identityOwner(address: string): Promise<string | undefined>;
}

declare module "../../core/world.ts" { interface World { chain: Chain | undefined } }

export interface ChainSettings { url: string; chainId: number; timeoutMs?: number }

/** EthereumDIDRegistry (ERC-1056), by chain; where it stands nowhere else, at the first address. */
const REGISTRIES: Readonly<Record<number, `0x${string}`>> = { 11_155_111: "0x03d5003bf0e79C5F5223588F347ebA39AfbC3818", 17_000: "0x03d5003bf0e79C5F5223588F347ebA39AfbC3818", 100: "0x03d5003bf0e79C5F5223588F347ebA39AfbC3818" };
const REGISTRY = "0xdCa7EF03e98e0DC2B855bE647C39ABe984fcF21B";
const IDENTITY_OWNER = [{ type: "function", name: "identityOwner", stateMutability: "view", inputs: [{ name: "identity", type: "address" }], outputs: [{ name: "", type: "address" }] }] as const;

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
      // Both of one block, whatever comes in between.
      const block = await client.getBlockNumber({ cacheTime: 0 });
      return { wei: await client.getBalance({ address: address as `0x${string}`, blockNumber: block }), block };
    });
  }

  identityOwner(address: string): Promise<string | undefined> {
    const registry = REGISTRIES[this.chainId] ?? REGISTRY;
    return this.#ask(async (client) => {
      if (!(await client.getCode({ address: registry }))) return undefined;
      return client.readContract({ address: registry, abi: IDENTITY_OWNER, functionName: "identityOwner", args: [address as `0x${string}`] });
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

  /** viem is loaded with the first question; the node must be of the chain that the settings name. */
  async #open(): Promise<PublicClient> {
    const { createPublicClient, http } = await import("viem");
    const { url, chainId, timeoutMs = 10_000 } = this.#settings;
    const client = createPublicClient({ transport: http(url, { timeout: timeoutMs, retryCount: 1 }) });
    const found = await client.getChainId().catch((error: unknown) => { throw problemOf(error); });
    if (found !== chainId) throw notConfigured(`CHAIN_RPC_URL answers for chain ${found}, CHAIN_ID says ${chainId}.`);
    return client;
  }
}

/** The node's address may hold a key, and viem's messages hold the address: only our own words go out. */
function problemOf(error: unknown): Problem {
  for (let at = error as { name?: string; cause?: unknown } | undefined; at; at = at.cause as typeof at) if (at.name === "TimeoutError") return upstream(504, "UPSTREAM_TIMEOUT", "The chain's node does not answer in time.");
  return upstream(502, "UPSTREAM_FAILED", "The chain's node cannot be reached or answers what we cannot use.");
}

/** A chain by its JSON-RPC address; nothing is asked before it is needed. */
export const chainOf = (settings: ChainSettings): Chain => new RpcChain(settings);
