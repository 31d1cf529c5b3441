import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { x25519 } from "@noble/curves/ed25519.js";
import fc from "fast-check";
import { encodeAbiParameters, encodeEventTopics, parseAbiItem } from "viem";
import { chainAt, type IdentityEvent } from "../../../adapters/chain/chain.ts";
import { isPoint } from "../../../core/did/key-encodings.ts";
import { ethrDocument } from "../../../services/identity/identity/did-methods/did-ethr.ts";

const ADDRESS = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const NOW = 1_000;

const agreeing = (n: number, validTo: number): IdentityEvent => ({
  kind: "attribute",
  name: "did/pub/X25519/enc/base64",
  value: Buffer.alloc(32, n),
  validTo: BigInt(validTo),
});

describe("the document of a did:ethr", () => {
  it("is made in steps, one for each key in force: whoever wrote them chose how many", () => {
    const events = [9, 10, 11, 12].map((n) => agreeing(n, NOW + 1));
    const work = ethrDocument("did:ethr:1", { chainId: 1, address: ADDRESS }, [...events, agreeing(11, NOW - 1)], NOW);
    let steps = 0;
    for (;;) {
      const step = work.next();
      if (!step.done) {
        steps++;
        continue;
      }
      expect(step.value!["keyAgreement"]).toEqual([1, 2, 4].map((n) => `did:ethr:1#delegate-${n}`));
      break;
    }
    expect(steps).toBe(3);
  });
});

it("a point of small order is no X25519 key, and every other is one", () => {
  const agrees = (bytes: Uint8Array): boolean => {
    try {
      return x25519.getSharedSecret(new Uint8Array(32).fill(1), bytes).some((byte) => byte !== 0);
    } catch {
      return false;
    }
  };
  // The twelve that are refused by https://cr.yp.to/ecdh.html#validate: five points, in all spellings of 32 bytes.
  const P = 2n ** 255n - 19n;
  const order8 = [
    325606250916557431795983626356110631294008115727848805560023387167927233504n,
    39382357235489614581723060781553021112529911719440698176882885853963445705823n,
  ];
  const spelt = (u: bigint): Uint8Array => Buffer.from(u.toString(16).padStart(64, "0"), "hex").reverse();
  const small = [0n, 1n, P - 1n, ...order8].flatMap((u) => [u, u + P, u + 2n * P, u + 2n ** 255n]);
  for (const u of small.filter((one) => one < 2n ** 256n)) {
    const bytes = spelt(u);
    expect([u, isPoint({ type: "X25519", bytes })]).toEqual([u, agrees(bytes)]);
  }
  expect([0n, 1n, P - 1n, P, P + 1n, ...order8].map((u) => isPoint({ type: "X25519", bytes: spelt(u) }))).toEqual(
    Array(7).fill(false),
  );
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
      expect(isPoint({ type: "X25519", bytes })).toBe(agrees(bytes));
    }),
    { numRuns: 50 },
  );
});

describe("a registry of identities", () => {
  const changed = parseAbiItem(
    "event DIDOwnerChanged(address indexed identity, address owner, uint256 previousChange)",
  );
  /** A node whose newest block holds so many changes of one identity. */
  async function nodeWith(changes: number) {
    const log = {
      address: "0xdca7ef03e98e0dc2b855be647c39abe984fcf21b",
      topics: encodeEventTopics({ abi: [changed], args: { identity: ADDRESS } }),
      data: encodeAbiParameters([{ type: "address" }, { type: "uint256" }], [ADDRESS, 0n]),
      blockNumber: "0x1",
      blockHash: `0x${"0".repeat(64)}`,
      transactionHash: `0x${"0".repeat(64)}`,
      transactionIndex: "0x0",
      removed: false,
    };
    const results: Record<string, unknown> = {
      eth_chainId: "0x7a69",
      eth_getCode: "0x60",
      eth_call: `0x${"1".padStart(64, "0")}`,
      eth_getLogs: Array.from({ length: changes }, (_, n) => ({ ...log, logIndex: `0x${n.toString(16)}` })),
    };
    const server = createServer(async (request, response) => {
      const { id, method } = JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString());
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ jsonrpc: "2.0", id, result: results[method] }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const close = () => (server.closeAllConnections(), server.close());
    return { chain: chainAt({ url, chainId: 31_337 }), close };
  }

  it("is read as far as a thousand changes of one identity", async () => {
    for (const [changes, outcome] of [
      [1_000, 1_000],
      [1_001, "This identity has changed too often to be read."],
    ] as const) {
      const { chain, close } = await nodeWith(changes);
      const found = await chain.identityEvents(ADDRESS).then(
        (events) => events!.length,
        ({ message }: Error) => message,
      );
      close();
      expect(found).toBe(outcome);
    }
  });
});
