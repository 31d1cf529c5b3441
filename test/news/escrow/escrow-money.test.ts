import { createSecretKey } from "node:crypto";
import fc from "fast-check";
import type { Collection, Documents } from "../../../core/records/documents.ts";
import { Books } from "../../../services/news/escrow/ledger/books.ts";
import { dueFor, isNear, suffices, TAILS } from "../../../services/news/escrow/ledger/deposits.ts";
import { FEE_RESERVE, shieldingFee } from "../../../services/news/escrow/zcash/fees.ts";
import {
  adjusted,
  after,
  balanced,
  balances,
  deposited,
  EMPTY,
  expected,
  funded,
  paid,
  shielded,
  type LedgerEntry,
  type Posting,
} from "../../../services/news/escrow/ledger/ledger.ts";
import { MEMO_BYTES, readMemo, writeMemo } from "../../../services/news/escrow/zcash/memo.ts";
import {
  add,
  BadAmount,
  compare,
  delta,
  format,
  MOST_ZATOSHI,
  negate,
  Zatoshi,
  zatoshi,
} from "../../../services/news/escrow/zcash/zatoshi.ts";
import { freshDocuments } from "./escrow-setup.ts";

const amount = fc.bigInt({ min: 1n, max: MOST_ZATOSHI }).map(String);
const small = fc.bigInt({ min: 1n, max: 10n ** 12n }).map(String);

describe("amounts", () => {
  it("are whole zatoshi from 1 to all there will ever be", () => {
    expect(zatoshi("1")).toBe(1n);
    expect(zatoshi("2100000000000000")).toBe(MOST_ZATOSHI);
  });

  it.each(["0", "-1", "+1", "01", "1.0", "1e3", " 1", "", "0x10", "١", "2100000000000001", "99999999999999999999"])(
    "are not %j",
    (text) => {
      expect(() => zatoshi(text, "bounty.amount")).toThrow(BadAmount);
      expect(() => zatoshi(text, "bounty.amount")).toThrow(/^bounty\.amount: /);
      expect(Zatoshi.safeParse(text).success).toBe(false);
    },
  );

  it.each([1, 1.5, null, undefined, 10n, {}])("are never anything but text: %p", (value) => {
    expect(() => zatoshi(value)).toThrow(BadAmount);
    expect(Zatoshi.safeParse(value).success).toBe(false);
  });

  it("survive reading and writing, and are what the schema takes", () => {
    fc.assert(
      fc.property(amount, (text) => {
        expect(format(zatoshi(text))).toBe(text);
        expect(Zatoshi.parse(text)).toBe(text);
        expect(delta(negate(text))).toBe(-zatoshi(text));
      }),
    );
  });

  it("add exactly where floats do not", () => {
    expect(add("2099999999999999", "1")).toBe("2100000000000000");
    expect(add("900719925474099", "-900719925474100")).toBe("-1");
    expect(() => add(String(MOST_ZATOSHI), "1")).toThrow(BadAmount);
    fc.assert(
      fc.property(small, small, small, (a, b, c) => {
        expect(add(a, add(b, c))).toBe(add(add(a, b), c));
        expect(add(a, b, negate(b))).toBe(a);
      }),
    );
  });

  it("compare as numbers, not as text", () => {
    expect(compare("9", "10")).toBe(-1);
    expect(compare("-5", "-50")).toBe(1);
    expect(compare("7", "7")).toBe(0);
  });
});

describe("what a deposit must be", () => {
  it("is the amount, the reserve for fees, and a tail", () => {
    expect(dueFor("100000000", 0)).toBe(String(100_000_000n + FEE_RESERVE));
    expect(new Set(Array.from({ length: 50 }, (_, tail) => dueFor("1", tail))).size).toBe(50);
    expect(BigInt(TAILS)).toBeLessThan(FEE_RESERVE);
    expect(() => dueFor(String(MOST_ZATOSHI), 1)).toThrow(BadAmount);
  });

  it("suffices when it covers amount and reserve", () => {
    expect(suffices(dueFor("5", 0), "5")).toBe(true);
    expect(suffices(String(FEE_RESERVE + 4n), "5")).toBe(false);
  });

  it("may be meant by what is a fee, the reserve or the tail off, and by nothing else", () => {
    const due = dueFor("50000000", 1_234);
    for (const off of [-100_000n, -BigInt(FEE_RESERVE) - 1_234n, -1n, 1n, 100_000n])
      expect(isNear(String(BigInt(due) + off), due)).toBe(true);
    for (const off of [-100_001n, 0n, 100_001n]) expect(isNear(String(BigInt(due) + off), due)).toBe(false);
  });

  it("pays the ZIP 317 fee of shielding it, alone or with others", () => {
    expect(shieldingFee(1)).toBe(15_000n);
    for (const deposits of [1, 2, 10, 100])
      expect(shieldingFee(deposits)).toBeLessThanOrEqual(BigInt(deposits) * FEE_RESERVE);
  });
});

/** What may happen to an escrow, in any order. */
const movement: fc.Arbitrary<LedgerEntry> = fc.oneof(
  fc.tuple(fc.uuid(), small).map(([id, sum]) => deposited(id, sum, "tx")),
  fc.tuple(fc.uuid(), small, small).map(([id, sum, fee]) => shielded(id, sum, fee, "tx")),
  fc
    .tuple(fc.uuid(), small, fc.constantFrom<`bounty:${string}`[]>("bounty:a", "bounty:b"))
    .map(([id, sum, claim]) => funded(claim, id, sum)),
  fc
    .tuple(fc.uuid(), small, small, fc.constantFrom("payee" as const, "creator" as const))
    .map(([id, sum, fee, to]) => paid(id, "subscription:s", to, sum, fee, "tx")),
  fc
    .tuple(fc.uuid(), small, fc.boolean())
    .map(([id, sum, out]) => adjusted(id, "pool", out ? negate(sum) : sum, "op", "why")),
);

describe("the ledger", () => {
  it("adds up to zero after whatever happened, and its totals are those of its accounts", () => {
    fc.assert(
      fc.property(fc.array(movement, { maxLength: 40 }), (entries) => {
        const sums = balances(entries);
        expect([...sums.values()].reduce((total, each) => total + BigInt(each), 0n)).toBe(0n);
        const totals = entries.reduce((sofar, { lines }) => after(sofar, lines), EMPTY);
        const held = [...sums].filter(([account]) => account.includes(":")).map(([, sum]) => sum);
        expect(totals.held).toBe(add("0", ...held));
        for (const account of ["transparent", "pool", "payee", "fees", "creator"] as const)
          expect(totals[account]).toBe(sums.get(account) ?? "0");
        expect(add(totals.creator, totals.payee, totals.fees)).toBe(
          negate(add(expected(totals).transparent, expected(totals).shielded)),
        );
      }),
    );
  });

  it.each<[string, Posting[], RegExp]>([
    [
      "is unbalanced",
      [
        { account: "pool", amount: "5" },
        { account: "fees", amount: "-4" },
      ],
      /add up to 1/,
    ],
    [
      "has one line",
      [
        { account: "pool", amount: "0" },
        { account: "fees", amount: "0" },
      ],
      /two accounts/,
    ],
    [
      "names an account twice",
      [
        { account: "pool", amount: "5" },
        { account: "pool", amount: "-5" },
      ],
      /twice/,
    ],
    [
      "names no account",
      [
        { account: "purse" as "pool", amount: "5" },
        { account: "pool", amount: "-5" },
      ],
      /no account purse/,
    ],
    [
      "has an amount that is none",
      [
        { account: "pool", amount: "5.0" },
        { account: "fees", amount: "-5" },
      ],
      /whole number/,
    ],
  ])("takes no entry that %s", (_, lines, words) => {
    expect(() => balanced(lines)).toThrow(words);
  });
});

describe("the books", () => {
  let documents: Documents;
  let ledger: Collection;
  let books: Books;
  beforeEach(async () => {
    documents = freshDocuments();
    ledger = await documents.collection("escrow_ledger", {
      indexes: [{ fields: ["seq"], unique: true }, { fields: ["accounts"] }],
    });
    books = new Books(ledger, { now: () => 0 });
  });
  afterEach(() => documents.close());

  it("book a fact once, however often and however many at once", async () => {
    const entry = deposited("tx:0", "5", "tx");
    const news = await Promise.all(Array.from({ length: 8 }, () => books.post(entry)));
    expect(news.filter(Boolean)).toHaveLength(1);
    expect((await books.last())?.seq).toBe(1);
  });

  it("number without gaps when many write at once, and stay sound", async () => {
    await Promise.all(Array.from({ length: 20 }, (_, n) => books.post(deposited(`tx:${n}`, String(n + 1), "tx"))));
    expect((await books.last())?.seq).toBe(20);
    expect(await books.totals()).toMatchObject({ transparent: "210", creator: "-210" });
    expect(await books.verify()).toBeNull();
  });

  it("know the balance of a claim from its own entries", async () => {
    await books.post(funded("bounty:a", "d1", "70"));
    await books.post(funded("bounty:b", "d2", "5"));
    await books.post(paid("p1", "bounty:a", "payee", "70", "3", "tx"));
    expect(await books.balance("bounty:a")).toBe("0");
    expect(await books.balance("bounty:b")).toBe("5");
    expect(await books.balance("bounty:c")).toBe("0");
    expect((await books.entries("bounty:a")).map(({ id }) => id)).toEqual(["funding:d1", "payout:p1"]);
  });

  it.each<[string, (page: Collection) => Promise<unknown>, RegExp]>([
    [
      "a changed amount",
      (page) =>
        page.updateById("deposit:tx:1", {
          $set: {
            lines: [
              { account: "creator", amount: "-9" },
              { account: "transparent", amount: "9" },
            ],
          },
        }),
      /tx:1: was changed/,
    ],
    ["a changed total", (page) => page.updateById("deposit:tx:2", { $set: { totals: EMPTY } }), /tx:2: was changed/],
    ["a removed entry", (page) => page.removeById("deposit:tx:1"), /number 3 does not follow 1/],
    [
      "a foreign entry",
      (page) => page.insert({ _id: "x", seq: 4, lines: [], previous: "0", hash: "0" }),
      /x: does not follow/,
    ],
  ])("show %s", async (_, tamper, words) => {
    for (let n = 0; n < 3; n++) await books.post(deposited(`tx:${n}`, "5", "tx"));
    expect(await books.verify()).toBeNull();
    await tamper(ledger);
    expect(await books.verify()).toMatch(words);
  });
});

describe("memos", () => {
  const key = createSecretKey(new Uint8Array(32).fill(1));
  const memo = { subject: "bounty:0198-abc", payoutId: "d354d6d9-1a05-8ddb-adaa-ae58f23473f1", attempt: 3 };

  it("come back as they were written, from 512 padded bytes too", () => {
    const hex = writeMemo(key, memo);
    expect(hex.length).toBeLessThanOrEqual(MEMO_BYTES * 2);
    expect(readMemo(key, hex)).toEqual(memo);
    expect(readMemo(key, hex.padEnd(MEMO_BYTES * 2, "0").toUpperCase())).toEqual(memo);
    expect(Buffer.from(hex, "hex").toString()).toMatch(/^signalmesh escrow 1 bounty:0198-abc d354/);
  });

  it("fit whatever the ids are", () => {
    const id = fc.stringMatching(/^[\w-]{1,64}$/);
    fc.assert(
      fc.property(id, id, fc.integer({ min: 1, max: 999_999 }), (subject, payoutId, attempt) => {
        const given = { subject: `bounty:${subject}`, payoutId, attempt };
        const hex = writeMemo(key, given);
        expect(hex.length / 2).toBeLessThanOrEqual(MEMO_BYTES);
        expect(readMemo(key, hex)).toEqual(given);
      }),
    );
  });

  it("are nobody else's: another key, any changed bit, any other text is not ours", () => {
    const hex = writeMemo(key, memo);
    expect(readMemo(createSecretKey(new Uint8Array(32).fill(2)), hex)).toBeNull();
    fc.assert(
      fc.property(fc.integer({ min: 0, max: hex.length / 2 - 1 }), fc.integer({ min: 0, max: 7 }), (at, bit) => {
        const bytes = Buffer.from(hex, "hex");
        bytes[at]! ^= 1 << bit;
        expect(readMemo(key, bytes.toString("hex"))).toBeNull();
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), (noise) => {
        expect(readMemo(key, Buffer.from(noise).toString("hex"))).toBeNull();
      }),
    );
    expect(readMemo(key, "")).toBeNull();
    expect(readMemo(key, "zz")).toBeNull();
  });

  it("refuse ids with spaces, which could be read another way", () => {
    expect(() => writeMemo(key, { ...memo, payoutId: "a 1" })).toThrow(RangeError);
    expect(() => writeMemo(key, { ...memo, attempt: 0 })).toThrow(RangeError);
  });
});
