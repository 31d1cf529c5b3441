import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { fromZat, fromZec, toZec } from "../../../adapters/wallet/amounts.ts";
import { walletStandIn, type Fault, type StandIn } from "../../../adapters/wallet/stand-in.ts";
import { callFor } from "../../../adapters/wallet/transfers.ts";
import { wallet, WalletError, type Wallet, type WalletSettings } from "../../../adapters/wallet/wallet.ts";
import { readAddress } from "../../../services/news/escrow/zcash/addresses.ts";
import { Impatience } from "../../news/escrow/escrow-setup.ts";
import { TEX, UNIFIED } from "../../news/escrow/escrow-vectors.ts";

const PASS = "canary-password-9f2b";
const USER = "canary-user-77aa";
const MEMO = "00ff";

let node: StandIn;
let client: Wallet;
beforeEach(async () => {
  node = await walletStandIn({ user: USER, pass: PASS });
  const impatience = new Impatience();
  node.onSilence(impatience.giveUp);
  client = connect({}, impatience.deadline);
});
afterEach(async () => {
  await client.close();
  await node.close();
});

const connect = (settings: Partial<WalletSettings> = {}, deadline?: () => AbortSignal): Wallet =>
  wallet(
    {
      url: node.url,
      user: USER,
      pass: PASS,
      tAddress: node.tAddress,
      zAddress: node.zAddress,
      minConfirmations: 1,
      ...settings,
    },
    readAddress,
    deadline,
  );

const failure = async (promise: Promise<unknown>): Promise<WalletError> => {
  const error = await promise.then(
    () => undefined,
    (caught: unknown) => caught,
  );
  expect(error).toBeInstanceOf(WalletError);
  return error as WalletError;
};

const rich = (zatoshi = "100000000") => {
  node.sendNote(zatoshi, "");
  node.mine(1);
};

describe("what it asks", () => {
  it("height, balances, unspent outputs and notes, as whole zatoshi in text", async () => {
    rich("123456789");
    node.deposit("1");
    node.deposit("2099999999999999");
    expect(await client.info()).toMatchObject({ height: 201, testnet: true });
    expect(await client.balances()).toEqual({ transparent: "2100000000000000", shielded: "123456789" });
    expect(await client.unspent(1)).toEqual([]);
    node.mine(1);
    expect((await client.unspent(1)).map(({ amount }) => amount)).toEqual(["1", "2099999999999999"]);
    expect(await client.notes()).toMatchObject([
      { amount: "123456789", confirmations: 2, memo: expect.stringMatching(/^f60{1022}$/) },
    ]);
  });

  it("what arrived since a block, again and again until it is deep", async () => {
    const txid = node.deposit("70");
    const first = await client.receipts(undefined, 5);
    expect(first.receipts).toEqual([
      { id: `${txid}:0`, txid, amount: "70", confirmations: 0, coinbase: false, mature: true },
    ]);
    node.mine(4);
    const again = await client.receipts(first.cursor, 5);
    expect(again.receipts).toMatchObject([{ txid, confirmations: 4 }]);
    node.mine(3);
    const { cursor } = await client.receipts(again.cursor, 5);
    expect((await client.receipts(cursor, 5)).receipts).toEqual([]);
  });

  it("mined coins, and whether they are mature", async () => {
    node.mine(1, { reward: 5n });
    expect((await client.receipts(undefined, 1)).receipts).toMatchObject([
      { amount: "5", coinbase: true, mature: false },
    ]);
    expect(await client.unspent(1)).toEqual([]);
    node.mine(100);
    expect((await client.receipts(undefined, 1)).receipts).toMatchObject([{ coinbase: true, mature: true }]);
    expect(await client.unspent(1)).toMatchObject([{ amount: "5", coinbase: true }]);
  });

  it("whether something is an address", async () => {
    expect(await client.isAddress(node.zAddress)).toBe(true);
    expect(await client.isAddress("hello")).toBe(false);
  });
});

describe("what it sends", () => {
  it("a payout: an operation, then a transaction found by operation, by memo and by id", async () => {
    rich();
    const to = node.chain.dice.saplingAddress();
    const { opid } = await client.send({ kind: "payout", to, amount: "30000000", memo: MEMO });
    expect(await client.operations([opid])).toEqual([
      { opid, status: "queued", memos: [MEMO, MEMO], method: "z_sendmany" },
    ]);
    node.work();
    expect(await client.operations()).toMatchObject([{ opid, status: "executing" }]);
    node.work();
    const txid = (await client.operations([opid]))[0]!.txid!;
    expect((await client.notes()).filter(({ memo }) => memo.startsWith(MEMO))).toMatchObject([
      { txid, amount: "0", confirmations: 0 },
    ]);
    node.mine(2);
    expect(await client.transaction(txid)).toMatchObject({
      txid,
      confirmations: 2,
      expired: false,
      own: true,
      spent: "100000000",
      fee: "15000",
      outputs: [
        { address: to, amount: "30000000", outgoing: true },
        { address: node.zAddress, amount: "0", outgoing: false },
        { amount: "69985000", outgoing: false },
      ],
    });
    await client.forget([opid]);
    expect(await client.operations([opid])).toEqual([]);
  });

  it("deposits and mined coins into the pool, whole", async () => {
    node.deposit("50000000");
    node.mine(1);
    await client.send({ kind: "shield", amount: "49985000", fee: "15000", confirmations: 1, memo: MEMO });
    node.settle();
    node.mine(1);
    const { txid } = (await client.notes())[0]!;
    const outputs = [{ amount: "49985000", memo: expect.stringMatching(/^00ff/) }];
    expect(await client.transaction(txid)).toMatchObject({ own: true, spent: "0", fee: "15000", outputs });
    expect(await client.balances()).toEqual({ transparent: "0", shielded: "49985000" });
    node.mine(101, { reward: 100_000n });
    await client.send({ kind: "shield-coinbase", memo: MEMO });
    node.settle();
    expect(await client.balances()).toEqual({ transparent: "0", shielded: "50070000" });
  });

  it("knows nothing of others' transactions, and tells what is not its own", async () => {
    expect(await client.transaction("0".repeat(64))).toBeNull();
    const foreign = node.sendNote("5", MEMO);
    expect(await client.transaction(foreign)).toMatchObject({ own: false, fee: "0", outputs: [{ amount: "5" }] });
  });
});

describe("what it never sends", () => {
  const refused = { kind: "refused", outcome: "not-taken", passing: false };

  it("anything to a transparent address, whatever its dress, and nothing reaches the node", async () => {
    const t = node.chain.dice.transparentAddress();
    for (const to of [t, node.tAddress, TEX[0]![0], TEX[0]![1]]) {
      expect(await failure(client.send({ kind: "payout", to, amount: "5", memo: MEMO }))).toMatchObject({
        ...refused,
        message: expect.stringMatching(/^to: .*shielded/),
      });
    }
    expect(node.calls).toEqual([]);
  });

  it("anything that is malformed", async () => {
    const to = node.chain.dice.saplingAddress();
    const payout = { kind: "payout" as const, to, amount: "5", memo: MEMO };
    for (const amount of ["0", "-5", "0.5", "1e3", ""])
      expect(await failure(client.send({ ...payout, amount }))).toMatchObject({
        ...refused,
        message: expect.stringMatching(/^amount/),
      });
    for (const memo of ["", "0", "zz", "00".repeat(513)])
      expect(await failure(client.send({ ...payout, memo }))).toMatchObject({
        ...refused,
        message: expect.stringMatching(/^memo/),
      });
    expect(await failure(client.send({ ...payout, to: node.zAddress }))).toMatchObject({
      message: expect.stringMatching(/escrow itself/),
    });
    expect(await failure(client.send({ ...payout, to: "x" }))).toMatchObject({ message: expect.stringMatching(/^to/) });
    expect(
      await failure(client.send({ kind: "shield", amount: "5", fee: "0", confirmations: 1, memo: MEMO })),
    ).toMatchObject({ message: expect.stringMatching(/^fee/) });
    expect(node.calls).toEqual([]);
  });

  it("transparent to transparent: no transfer, home or payee can make a call whose receiving end is open", () => {
    const t = ["t1V9mnyk5Z5cTNMCkLbaDwSskgJZucTLdgW", TEX[1]![1], node.tAddress];
    const z = [node.zAddress, UNIFIED[0]!.address, UNIFIED[7]!.address];
    const any = fc.constantFrom(...t, ...z, "", "zs1", "tex1qqqq");
    const memo = fc.constantFrom(MEMO, "");
    const transfer = fc.oneof(
      fc.record({ kind: fc.constant("payout" as const), to: any, amount: fc.constantFrom("5", "0"), memo }),
      fc.record({
        kind: fc.constant("shield" as const),
        amount: fc.constant("5"),
        fee: fc.constant("1"),
        confirmations: fc.constant(3),
        memo,
      }),
      fc.record({ kind: fc.constant("shield-coinbase" as const), memo }),
    );
    let built = 0;
    fc.assert(
      fc.property(transfer, any, any, (given, tAddress, zAddress) => {
        let call: ReturnType<typeof callFor>;
        try {
          call = callFor(given, { tAddress, zAddress, minConfirmations: 1 }, readAddress);
        } catch (error) {
          expect(error).toMatchObject(refused);
          return;
        }
        built += 1;
        const [from, second] = call.params as [string, string | { address: string }[]];
        const receiving = typeof second === "string" ? [second] : second.map(({ address }) => address);
        for (const address of receiving) expect(z).toContain(address);
        if (given.kind === "payout") expect(z).toContain(from);
        expect(call.params.at(-1)).toBe(given.kind === "payout" ? "FullPrivacy" : "AllowRevealedSenders");
      }),
      { numRuns: 2_000 },
    );
    expect(built).toBeGreaterThan(20);
  });

  it("is held to its policy by the node too", async () => {
    rich();
    const t = node.chain.dice.transparentAddress();
    const opid = node.node.call("z_sendmany", [
      node.zAddress,
      [{ address: t, amount: "0.1" }],
      1,
      null,
      "FullPrivacy",
    ]) as string;
    node.settle();
    expect(await client.operations([opid])).toMatchObject([{ status: "failed", error: { code: -8 } }]);
  });
});

describe("how it fails", () => {
  it.each<[Fault, object]>([
    ["unauthorized", { kind: "unauthorized", outcome: "not-taken", passing: true }],
    ["warming-up", { kind: "rpc", outcome: "not-taken", code: -28, passing: true }],
    [
      { code: -8, message: "Invalid parameter" },
      { kind: "rpc", outcome: "not-taken", code: -8, passing: false },
    ],
    [
      { code: -6, message: "Insufficient funds" },
      { kind: "rpc", outcome: "not-taken", code: -6, passing: true },
    ],
    ["reset-before", { kind: "timeout", outcome: "unknown", passing: true }],
    ["reset-after", { kind: "timeout", outcome: "unknown" }],
    ["silence-before", { kind: "timeout", outcome: "unknown" }],
    ["silence-after", { kind: "timeout", outcome: "unknown" }],
    ["late", { kind: "timeout", outcome: "unknown" }],
    ["busy-before", { kind: "malformed", outcome: "unknown" }],
    ["busy-after", { kind: "malformed", outcome: "unknown" }],
    ["garbage-before", { kind: "malformed", outcome: "unknown" }],
    ["garbage-after", { kind: "malformed", outcome: "unknown" }],
  ])("%j", async (fault, expected) => {
    rich();
    node.fail("z_sendmany", fault);
    expect(
      await failure(client.send({ kind: "payout", to: node.chain.dice.saplingAddress(), amount: "5", memo: MEMO })),
    ).toMatchObject(expected);
    const acted = typeof fault === "string" && fault.endsWith("-after");
    expect(await client.operations()).toHaveLength(acted ? 1 : 0);
    expect(node.deliver()).toBe(fault === "late" ? 1 : 0);
  });

  it("unreachable: certainly not taken", async () => {
    await node.down();
    expect(await failure(client.send({ kind: "shield-coinbase", memo: MEMO }))).toMatchObject({
      kind: "unreachable",
      outcome: "not-taken",
      passing: true,
    });
    await node.up();
    expect(await client.info()).toMatchObject({ height: 200 });
  });

  it("unauthorized with wrong credentials, a method the node lacks, answers out of shape", async () => {
    const stranger = connect({ pass: "wrong" });
    expect(await failure(stranger.info())).toMatchObject({ kind: "unauthorized" });
    await stranger.close();
    node.fail("getinfo", { code: -32601, message: "Method not found" });
    expect(await failure(client.info())).toMatchObject({ kind: "rpc", code: -32601, passing: false });
    node.node.call = () => ({ surprising: true });
    expect(await failure(client.info())).toMatchObject({ kind: "malformed" });
    expect(await failure(client.send({ kind: "shield-coinbase", memo: MEMO }))).toMatchObject({
      kind: "malformed",
      outcome: "unknown",
    });
  });

  it("in time, by its own clock, when the other end only listens", async () => {
    const silent = createServer((socket) => {
      socket.resume();
    }).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const waiting = connect({ url: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`, timeoutMs: 50 });
    expect(await failure(waiting.info())).toMatchObject({ kind: "timeout", outcome: "unknown" });
    await waiting.close();
    await new Promise((closed) => silent.close(closed));
  });

  it("never repeats a call by itself", async () => {
    node.fail("z_shieldcoinbase", "reset-before");
    await failure(client.send({ kind: "shield-coinbase", memo: MEMO }));
    expect(node.calls).toEqual(["z_shieldcoinbase"]);
  });

  it("without ever telling the user or the password, not even when the node does", async () => {
    const errors = [
      await failure(connect({ pass: `${PASS}x` }).info()),
      ...(await Promise.all(
        (["reset-before", "garbage-before", "busy-before", { code: -1, message: `bad ${USER} ${PASS}` }] as const).map(
          async (fault) => {
            node.fail("getinfo", fault);
            return failure(client.info());
          },
        ),
      )),
    ];
    for (const error of errors)
      expect(`${error.message} ${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`).not.toMatch(/canary/);
  });
});

describe("settings", () => {
  it.each<[Partial<WalletSettings>, RegExp]>([
    [{ url: "nowhere" }, /^url/],
    [{ url: "ftp://h" }, /^url/],
    [{ url: "http://u:p@h" }, /^url: must not hold credentials/],
    [{ timeoutMs: 0 }, /^timeoutMs/],
    [{ minConfirmations: 0 }, /^minConfirmations/],
    [{ tAddress: "zs1" }, /^tAddress/],
    [{ tAddress: "t3" }, /^tAddress/],
    [{ zAddress: "t1V9mnyk5Z5cTNMCkLbaDwSskgJZucTLdgW" }, /^zAddress.*shielded/],
    [{ tAddress: UNIFIED[0]!.address }, /^tAddress/],
  ])("that cannot be are refused, naming the field: %j", (settings, words) => {
    expect(() => connect(settings)).toThrow(words);
  });
});

describe("amounts on the wire", () => {
  it("convert exactly, there and back, as text and as JSON numbers", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2_100_000_000_000_000n }).map(String), (zatoshi) => {
        expect(fromZec(toZec(zatoshi))).toBe(zatoshi);
        expect(fromZec(JSON.parse(toZec(zatoshi)))).toBe(zatoshi);
      }),
    );
    expect(toZec("1")).toBe("0.00000001");
    expect(fromZec(-0.00015)).toBe("-15000");
    expect(fromZec("1.00")).toBe("100000000");
  });

  it.each(["", "1.123456789", "1,5", "NaN", null, Infinity, 21_000_001, {}])("refuse %p", (value) => {
    expect(() => fromZec(value)).toThrow(RangeError);
  });

  it("refuse zatoshi that are not whole", () => {
    expect(() => fromZat(1.5)).toThrow(RangeError);
    expect(() => fromZat("1")).toThrow(RangeError);
    expect(() => toZec("1.5")).toThrow(RangeError);
  });
});
