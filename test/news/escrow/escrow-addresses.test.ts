import { createHash } from "node:crypto";
import { bech32, bech32m, createBase58check } from "@scure/base";
import fc from "fast-check";
import {
  BadAddress,
  isTransparent,
  payeeRefusal,
  poolOf,
  readAddress,
} from "../../../services/news/escrow/zcash/addresses.ts";
import { jumble, LONGEST, SHORTEST, unjumble } from "../../../services/news/escrow/zcash/f4jumble.ts";
import { F4JUMBLE, TEX, UNIFIED } from "./escrow-vectors.ts";

const base58check = createBase58check((bytes: Uint8Array) => createHash("sha256").update(bytes).digest());
const bytes = (length: number, fill = 7) => new Uint8Array(length).fill(fill);
const hex = (text: string) => Uint8Array.from(Buffer.from(text, "hex"));

const t = (version: number, length = 20) =>
  base58check.encode(Uint8Array.of(version >> 8, version & 0xff, ...bytes(length)));
const sapling = (prefix = "zs", length = 43, code: typeof bech32 | typeof bech32m = bech32) =>
  code.encode(prefix, code.toWords(bytes(length)), 2_000);
const compact = (number: number) => (number < 0xfd ? [number] : [0xfd, number & 0xff, number >> 8]);
const item = (typecode: number, length: number) => [...compact(typecode), ...compact(length), ...bytes(length)];

/** A unified address of these raw items, as our own encoder makes it. */
function unified(items: readonly number[], prefix = "u", padding = prefix): string {
  const padded = new Uint8Array(16);
  padded.set(new TextEncoder().encode(padding));
  return bech32m.encode(prefix, bech32m.toWords(jumble(Uint8Array.of(...items, ...padded))), 5_000);
}

const complaint = (text: string): string => {
  try {
    readAddress(text);
    return "";
  } catch (error) {
    expect(error).toBeInstanceOf(BadAddress);
    return (error as Error).message;
  }
};

describe("F4Jumble (ZIP 316)", () => {
  it.each(F4JUMBLE)("gives the published vectors, there and back %#", (normal, jumbled) => {
    expect(jumble(hex(normal))).toEqual(hex(jumbled));
    expect(unjumble(hex(jumbled))).toEqual(hex(normal));
  });

  it("is its own way back, whatever the length", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: SHORTEST, maxLength: 700 }), (message) => {
        expect(unjumble(jumble(message))).toEqual(message);
      }),
      { numRuns: 60 },
    );
  });

  it("refuses what is too short or too long", () => {
    expect(() => jumble(bytes(SHORTEST - 1))).toThrow(RangeError);
    expect(() => unjumble(bytes(LONGEST + 1))).toThrow(RangeError);
  });
});

describe("unified addresses", () => {
  it.each(UNIFIED.map((vector) => [vector.address, vector] as const))(
    "reads the published %s",
    (address, { p2pkh, p2sh, sapling: z, orchard, unknown }) => {
      const known = [p2pkh && "p2pkh", p2sh && "p2sh", z && "sapling", orchard && "orchard"].filter(Boolean);
      const read = readAddress(address);
      expect(read).toMatchObject({ kind: "unified", networks: ["main"], text: address });
      expect(read.receivers.filter((receiver) => receiver !== "unknown")).toEqual(known);
      expect(read.receivers.includes("unknown")).toBe(unknown !== null);
      expect(poolOf(read)).toBe(orchard ? "orchard" : "sapling");
      expect(isTransparent(read)).toBe(false);
    },
  );

  it("reads upper case, and each test network", () => {
    expect(readAddress(UNIFIED[0]!.address.toUpperCase()).text).toBe(UNIFIED[0]!.address);
    expect(readAddress(unified(item(2, 43), "utest")).networks).toEqual(["test"]);
    expect(readAddress(unified(item(3, 43), "uregtest")).networks).toEqual(["regtest"]);
  });

  it("notices any one character that was changed", () => {
    const { address } = UNIFIED[3]!;
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: address.length - 1 }),
        fc.constantFrom(..."qpzry9x8gf2tvdw0s3jn54khce6mua7l"),
        (at, letter) => {
          fc.pre(address[at] !== letter);
          expect(complaint(address.slice(0, at) + letter + address.slice(at + 1))).toMatch(/damaged/);
        },
      ),
    );
  });

  it.each([
    ["only transparent receivers", [...item(0, 20), ...item(0xc1, 20)], /no shielded receiver/],
    ["two transparent receivers", [...item(0, 20), ...item(1, 20), ...item(2, 43)], /two transparent/],
    ["receivers out of order", [...item(3, 43), ...item(2, 43)], /out of order/],
    ["a doubled receiver", [...item(2, 43), ...item(2, 43)], /doubled/],
    ["a receiver of the wrong length", item(2, 42), /has 42 bytes, not 43/],
    ["a receiver that breaks off", [...item(2, 43), 3, 43, 1, 2], /breaks off/],
    ["a receiver without a length", [...item(2, 43), 3], /breaks off/],
    ["a length not in its shortest form", [2, 0xfd, 43, 0, ...bytes(43)], /shortest form/],
    ["a length of eight bytes", [...item(2, 43), 0xff, 1, 2, 3, 4, 5, 6, 7, 8], /impossible/],
    ["a demand that must be understood", [...item(2, 43), ...item(0xe0, 4)], /does not understand/],
    ["metadata alone", [...item(0xc1, 40)], /no shielded receiver/],
  ])("refuses one with %s", (_, items, words) => {
    expect(complaint(unified(items))).toMatch(words);
  });

  it("refuses padding of another prefix: a main address dressed up as a test one", () => {
    expect(complaint(unified(item(2, 43), "utest", "u"))).toMatch(/does not end in its own prefix/);
  });

  it("ignores metadata it need not understand", () => {
    expect(readAddress(unified([...item(2, 43), ...item(0xc1, 30)])).receivers).toEqual(["sapling"]);
  });

  it("refuses bech32 where bech32m is due, and the other way round", () => {
    expect(complaint(bech32.encode("u", bech32.toWords(jumble(bytes(61))), 500))).toMatch(/damaged/);
    expect(complaint(sapling("zs", 43, bech32m))).toMatch(/damaged/);
  });
});

describe("all other addresses", () => {
  it.each(TEX)("reads %s and its TEX form %s (ZIP 320)", (transparent, tex) => {
    expect(readAddress(transparent)).toMatchObject({ kind: "p2pkh", networks: ["main"] });
    expect(readAddress(tex)).toMatchObject({ kind: "tex", networks: ["main"] });
    expect(isTransparent(readAddress(tex))).toBe(true);
  });

  it.each([
    [0x1cb8, "p2pkh", "t1", ["main"]],
    [0x1cbd, "p2sh", "t3", ["main"]],
    [0x1d25, "p2pkh", "tm", ["test", "regtest"]],
    [0x1cba, "p2sh", "t2", ["test", "regtest"]],
  ])("reads base58check version %i as %s, which begins with %s", (version, kind, start, networks) => {
    expect(t(version).startsWith(start)).toBe(true);
    expect(readAddress(t(version))).toEqual({ kind, networks, receivers: [kind], text: t(version) });
  });

  it("reads Sapling on each network, and Sprout", () => {
    expect(readAddress(sapling())).toMatchObject({ kind: "sapling", networks: ["main"], receivers: ["sapling"] });
    expect(readAddress(sapling("ztestsapling")).networks).toEqual(["test"]);
    expect(readAddress(sapling("zregtestsapling")).networks).toEqual(["regtest"]);
    expect(t(0x169a, 64).startsWith("zc")).toBe(true);
    expect(readAddress(t(0x169a, 64)).kind).toBe("sprout");
  });

  it.each([
    ["nothing", "", /not an address/],
    ["words", "my wallet", /not an address/],
    ["a Bitcoin address", base58check.encode(Uint8Array.of(0, ...bytes(20))), /no known kind/],
    ["a Sprout spending key", t(0xab36, 32), /no known kind/],
    ["a transparent address of 19 bytes", t(0x1cb8, 19), /19 bytes, not 20/],
    ["a Sapling address of 42 bytes", sapling("zs", 42), /42 bytes, not 43/],
    ["a Sapling viewing key", bech32.encode("zxviews", bech32.toWords(bytes(169)), 500), /no address of a known form/],
    ["a Bitcoin segwit address", bech32.encode("bc", [0, ...bech32.toWords(bytes(20))]), /no address of a known form/],
    ["mixed case", `${sapling().slice(0, 20)}${sapling().slice(20).toUpperCase()}`, /damaged/],
    ["a very long text", "u1".padEnd(5_000, "q"), /not an address/],
  ])("refuses %s", (_, text, words) => {
    expect(complaint(text)).toMatch(words);
  });

  it("never takes noise for an address, and never fails but with BadAddress", () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 120 }),
        fc.constantFrom("", "t1", "zs1", "u1", "tex1", "zc"),
        (noise, start) => {
          expect(complaint(start + noise)).not.toBe("");
        },
      ),
    );
  });
});

describe("who may be paid", () => {
  const home = readAddress(sapling());
  const other = bech32.encode("zs", bech32.toWords(bytes(43, 9)), 200);

  it("is a shielded address in the escrow's pool, on its network", () => {
    expect(payeeRefusal(other, home)).toBeNull();
    expect(payeeRefusal(UNIFIED[0]!.address, home)).toBeNull();
    expect(payeeRefusal(unified([...item(2, 43), ...item(3, 43)]), home)).toBeNull();
    expect(payeeRefusal(unified(item(3, 43)), readAddress(unified([...item(2, 43), ...item(3, 43)], "u")))).toBeNull();
  });

  it.each([
    ["a transparent address", t(0x1cb8), /transparent/],
    ["a script address", t(0x1cbd), /transparent/],
    ["a TEX address", TEX[0]![1], /transparent/],
    ["a Sprout address", t(0x169a, 64), /Sprout/],
    ["an Orchard-only address, from Sapling", unified(item(3, 43)), /no sapling receiver/],
    [
      "a unified address whose only pool is unknown",
      unified([...item(0, 20), ...item(0x20, 40)]),
      /no sapling receiver/,
    ],
    ["an address of the test network", sapling("ztestsapling"), /another network/],
    ["the escrow's own", sapling(), /own/],
    ["the escrow's own in upper case", sapling().toUpperCase(), /own/],
    ["no address", "hello", /not an address|no address/],
  ])("is not %s", (_, text, words) => {
    expect(payeeRefusal(text, home)).toMatch(words);
  });
});
