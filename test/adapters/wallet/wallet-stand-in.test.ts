import { COINBASE_MATURITY, EXPIRY_BLOCKS } from "../../../adapters/wallet/stand-in-chain.ts";
import { walletStandIn, type StandIn, type StandInSettings } from "../../../adapters/wallet/stand-in.ts";

let node: StandIn;
const start = async (settings?: StandInSettings) => {
  node = await walletStandIn(settings);
};
beforeEach(() => start());
afterEach(() => node.close());

const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString("base64")}` });

async function call(
  method: string,
  params: unknown[] = [],
  headers: Record<string, string> = basic(`${node.user}:${node.pass}`),
) {
  const response = await fetch(node.url, {
    method: "POST",
    headers,
    body: JSON.stringify({ jsonrpc: "1.0", id: "t", method, params }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : null };
}
const result = async (method: string, ...params: unknown[]) => (await call(method, params)).body.result;
const status = async (opid: string) => (await result("z_getoperationstatus", [opid]))[0];
const memo = "00ff";

describe("over HTTP", () => {
  it("speaks JSON-RPC with basic authentication, as zcashd does", async () => {
    expect(await call("getinfo")).toMatchObject({
      status: 200,
      body: { result: { blocks: 200 }, error: null, id: "t" },
    });
    for (const headers of [{}, basic("escrow:wrong"), basic("x"), { authorization: "Bearer x" }]) {
      const refusal = await call("getinfo", [], headers as Record<string, string>);
      expect(refusal.status).toBe(401);
      expect(refusal.headers.get("www-authenticate")).toBe('Basic realm="jsonrpc"');
    }
    expect(await call("getmoney")).toMatchObject({ status: 404, body: { result: null, error: { code: -32601 } } });
    expect(await call("gettransaction", ["00"])).toMatchObject({ status: 500, body: { error: { code: -5 } } });
    expect((await fetch(node.url)).status).toBe(405);
    const noise = await fetch(node.url, { method: "POST", headers: basic(`${node.user}:${node.pass}`), body: "{" });
    expect([noise.status, await noise.json()]).toMatchObject([500, { error: { code: -32700 } }]);
  });

  it("warms up, goes down and comes back at the same address", async () => {
    node.node.warming = true;
    expect(await call("getinfo")).toMatchObject({ status: 500, body: { error: { code: -28 } } });
    node.node.warming = false;
    await node.down();
    await expect(call("getinfo")).rejects.toThrow(/fetch failed/);
    await node.up();
    expect((await call("getinfo")).status).toBe(200);
  });

  it("gives the same addresses, ids and blocks for the same seed, others for another", async () => {
    const same = await walletStandIn({ seed: 1 }),
      other = await walletStandIn({ seed: 2 });
    expect([same.zAddress, same.tAddress, same.deposit("5")]).toEqual([
      node.zAddress,
      node.tAddress,
      node.deposit("5"),
    ]);
    expect(other.zAddress).not.toBe(node.zAddress);
    await same.close();
    await other.close();
  });
});

describe("its rules", () => {
  const send = (from: string, to: string, amount: string, ...rest: unknown[]) =>
    call("z_sendmany", [from, [{ address: to, amount }], 1, ...rest]);

  it("spends what is confirmed, pays ZIP 317 fees from notes, and returns change", async () => {
    node.sendNote("100000000", "");
    const to = node.chain.dice.saplingAddress();
    const early = (await send(node.zAddress, to, "0.5", null, "FullPrivacy")).body.result;
    node.settle();
    expect(await status(early)).toMatchObject({
      status: "failed",
      error: { code: -8, message: expect.stringMatching(/^Insufficient funds: have 0.00000000, need/) },
    });
    node.mine(1);
    const opid = (await send(node.zAddress, to, "0.5", null, "FullPrivacy")).body.result;
    node.settle();
    expect(await status(opid)).toMatchObject({
      status: "success",
      method: "z_sendmany",
      result: { txid: expect.any(String) },
    });
    expect(await result("z_gettotalbalance", 0)).toEqual({ transparent: "0.00", private: "0.4999", total: "0.4999" });
    expect(await result("z_gettotalbalance", 1)).toMatchObject({ private: "0.00" });
  });

  it("forbids what the policy does not allow", async () => {
    node.sendNote("100000000", "");
    node.deposit("100000000");
    node.mine(1);
    const t = node.chain.dice.transparentAddress();
    for (const [from, to, policy, words] of [
      [node.zAddress, t, "FullPrivacy", /transparent recipients/],
      [node.zAddress, t, "AllowRevealedSenders", /transparent recipients/],
      [node.tAddress, node.zAddress, "FullPrivacy", /spend transparent funds/],
      [node.tAddress, node.zAddress, "AllowRevealedSenders", /transparent change/],
    ] as const) {
      const opid = (await send(from, to, "0.5", null, policy)).body.result;
      node.settle();
      expect(await status(opid)).toMatchObject({
        status: "failed",
        error: { code: -8, message: expect.stringMatching(words) },
      });
    }
    const open = (await send(node.zAddress, t, "0.5", null, "AllowRevealedRecipients")).body.result;
    node.settle();
    expect(await status(open)).toMatchObject({ status: "success" });
    expect(await send(node.zAddress, t, "0.5", null, "Whatever")).toMatchObject({ body: { error: { code: -8 } } });
  });

  it("refuses at once what it cannot read", async () => {
    for (const params of [
      [node.zAddress, []],
      [node.zAddress, [{ address: "x", amount: 1 }]],
      [node.zAddress, [{ address: node.zAddress, amount: 1, memo: "zz" }]],
      [node.zAddress, [{ address: node.zAddress, amount: 1, memo: "00".repeat(513) }]],
      [
        node.zAddress,
        [
          { address: node.zAddress, amount: 1 },
          { address: node.zAddress, amount: 1 },
        ],
      ],
    ]) {
      expect(await call("z_sendmany", params)).toMatchObject({ status: 500, body: { error: { code: -8 } } });
    }
    expect(await call("z_sendmany", ["elsewhere", [{ address: node.zAddress, amount: 1 }]])).toMatchObject({
      body: { error: { code: -5 } },
    });
    expect(
      await call("z_sendmany", [node.zAddress, [{ address: node.zAddress, amount: "1.123456789" }]]),
    ).toMatchObject({ body: { error: { code: -3 } } });
  });

  it("shields mined coins only when mature, and locks them meanwhile", async () => {
    node.mine(1, { reward: 100_000n });
    node.mine(COINBASE_MATURITY - 1);
    expect(await call("z_shieldcoinbase", [node.tAddress, node.zAddress])).toMatchObject({
      body: { error: { code: -8 } },
    });
    node.mine(1);
    expect(await result("z_shieldcoinbase", node.tAddress, node.zAddress, null, 0, memo)).toMatchObject({
      shieldingUTXOs: 1,
      remainingUTXOs: 0,
      shieldingValue: 0.001,
      opid: expect.any(String),
    });
    expect(await result("listunspent")).toEqual([]);
    expect(await call("z_shieldcoinbase", [node.tAddress, node.zAddress])).toMatchObject({
      body: { error: { code: -8 } },
    });
    node.restart();
    expect(await result("listunspent")).toHaveLength(1);
  });

  it("forgets operations in a restart, and results once they are taken, but no memo", async () => {
    node.sendNote("100000000", "");
    node.mine(1);
    const opid = await result("z_sendmany", node.zAddress, [{ address: node.zAddress, amount: "0", memo }], 1);
    node.settle();
    expect(await result("z_getoperationresult", [opid])).toHaveLength(1);
    expect(await result("z_getoperationresult", [opid])).toHaveLength(0);
    await result("z_sendmany", node.zAddress, [{ address: node.zAddress, amount: "0", memo: "01" }], 1);
    node.restart();
    expect(await result("z_getoperationstatus")).toEqual([]);
    expect(
      (await result("z_listreceivedbyaddress", node.zAddress, 0)).map((note: { memo: string }) =>
        note.memo.slice(0, 4),
      ),
    ).toContain(memo);
  });

  it("loses waiting records with the power, and finds them in the chain again", async () => {
    node.sendNote("100000000", "");
    node.mine(1);
    await result("z_sendmany", node.zAddress, [{ address: node.zAddress, amount: "0", memo }], 1);
    node.work();
    const { txid } = node.work()!;
    node.restart({ powerLoss: true });
    expect(await call("gettransaction", [txid])).toMatchObject({ body: { error: { code: -5 } } });
    node.mine(1);
    expect(await result("gettransaction", txid)).toMatchObject({ confirmations: 1, status: "mined" });
  });

  it("lets transactions expire, and blocks be undone", async () => {
    const deposit = node.deposit("5");
    node.mine(3);
    node.chain.unmine(3);
    expect(await result("gettransaction", deposit)).toMatchObject({ confirmations: 0, status: "waiting" });
    node.chain.stick(deposit);
    node.mine(EXPIRY_BLOCKS + 2);
    expect(await result("gettransaction", deposit)).toMatchObject({ confirmations: -1, status: "expired" });
    expect(await result("listunspent", 0)).toEqual([]);
  });

  it("works by itself where it is told to, for demonstrations", async () => {
    await node.close();
    await start({ auto: true });
    node.sendNote("100000000", "");
    node.mine(1);
    const opid = await result(
      "z_sendmany",
      node.zAddress,
      [{ address: node.chain.dice.saplingAddress(), amount: "0.1", memo }],
      1,
    );
    for (let looks = 0; looks < 3; looks++) await result("getinfo");
    expect(await status(opid)).toMatchObject({ status: "success" });
  });
});
