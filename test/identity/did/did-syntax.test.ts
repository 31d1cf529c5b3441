import fc from "fast-check";
import { checksummed, readAddress } from "../../../core/did/evm-addresses.ts";
import { ethrOf, pkhOf, readEthr, readPkh } from "../../../core/did/did-accounts.ts";
import { canonicalDid, parseDid } from "../../../services/identity/identity/did-methods/did-syntax.ts";
import { didWebUrl } from "../../../services/identity/identity/did-methods/did-web.ts";
import { getAddress } from "viem";

/** DID Core 1.0 §3.1, rule by rule. */
const idchar = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(..."abcXYZ019.-_") },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 0, max: 255 }).map((byte) => `%${byte.toString(16).padStart(2, "0").toUpperCase()}`),
  },
);
const idstring = fc.array(idchar, { maxLength: 12 }).map((chars) => chars.join(""));
const specific = fc
  .tuple(fc.array(idstring, { maxLength: 4 }), fc.array(idchar, { minLength: 1, maxLength: 12 }))
  .map(([front, last]) => [...front, last.join("")].join(":"));
const method = fc
  .array(fc.constantFrom(..."abcxyz0189"), { minLength: 1, maxLength: 8 })
  .map((chars) => chars.join(""));

it("parses every DID of the grammar", () => {
  fc.assert(
    fc.property(method, specific, (name, id) => {
      expect(parseDid(`did:${name}:${id}`)).toEqual({ did: `did:${name}:${id}`, method: name, id });
    }),
  );
});

it("takes nothing else: an alphabet, an ending, a case, a DID URL", () => {
  fc.assert(
    fc.property(
      method,
      specific,
      fc.constantFrom("/", "?a=b", "#key", ":", " ", "ü", "%", "%0", "%GG", "\n", "\u0000", "~", ";a=b"),
      (name, id, tail) => {
        expect(parseDid(`did:${name}:${id}${tail}`)).toBeNull();
      },
    ),
  );
  for (const text of [
    "",
    "did",
    "did:",
    "did:key",
    "did:key:",
    "did::x",
    "DID:key:x",
    "did:Key:x",
    "did:k-y:x",
    " did:key:x",
    `did:key:${"x".repeat(1_100)}`,
  ])
    expect([text, parseDid(text)]).toEqual([text, null]);
});

it("says yes or no to any text, and never more", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: "binary" }),
        fc.string().map((text) => `did:web:${text}`),
      ),
      (text) => {
        const parsed = parseDid(text);
        if (parsed) expect(`did:${parsed.method}:${parsed.id}`).toBe(text);
      },
    ),
  );
});

/** EIP-55, Test Cases. */
const EIP55 = [
  "0x52908400098527886E0F7030069857D2E4169EE7",
  "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
  "0xde709f2102306220921060314715629080e2fb77",
  "0x27b1fdb04752bbc536007a920d24acb045561c26",
  "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
  "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
  "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
];

it.each(EIP55)("checksums %s as EIP-55 has it, and as viem does", (address) => {
  expect(checksummed(address.toLowerCase())).toBe(address);
  expect(readAddress(address)).toBe(address);
  expect(getAddress(address.toLowerCase())).toBe(address);
});

it("knows an address in any spelling, and refuses a wrong checksum", () => {
  const address = EIP55[4]!;
  for (const spelling of [address, address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`]) {
    expect(canonicalDid(`did:pkh:eip155:1:${spelling}`)).toBe(`did:pkh:eip155:1:${address}`);
    expect(canonicalDid(`did:ethr:mainnet:${spelling}`)).toBe(`did:ethr:${address}`);
    expect(canonicalDid(`did:ethr:0xaa36a7:${spelling}`)).toBe(canonicalDid(`did:ethr:sepolia:${spelling}`));
  }
  expect(readPkh(`did:pkh:eip155:1:${address.replace("a", "A")}`)).toBeNull();
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 46 }), fc.constantFrom(...EIP55), (chainId, one) => {
      expect(readPkh(pkhOf({ chainId, address: one }))).toEqual({ chainId, address: one });
      expect(readEthr(ethrOf({ chainId, address: one }))).toEqual({ chainId, address: one });
    }),
  );
});

it.each([
  ["w3c-ccg.github.io", "https://w3c-ccg.github.io/.well-known/did.json"],
  ["w3c-ccg.github.io:user:alice", "https://w3c-ccg.github.io/user/alice/did.json"],
  ["example.com%3A3000:user:alice", "https://example.com:3000/user/alice/did.json"],
])("finds did:web:%s where the method says", (id, url) => expect(didWebUrl(id)).toBe(url));

it.each([
  "127.0.0.1",
  "1.2.3.4%3A80",
  "%5B::1%5D",
  "0x7f.1",
  "a..b",
  "-a.b",
  "example.com:..:x",
  "example.com:%2E%2e",
  "example.com:a%2Fb",
  "example.com:",
  "example.com%3A",
  "example.com%3A99999",
  "user%40example.com",
  "example.com%2Fx",
  "example.com%3A80%3A90",
])("finds nothing for did:web:%s", (id) => expect(didWebUrl(id)).toBeNull());
