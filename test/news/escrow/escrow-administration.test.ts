import { eventually, world } from "../../mesh.ts";
import {
  address,
  admin,
  at,
  get,
  node,
  onOneNode,
  openBounty,
  paidTo,
  post,
  promise,
  release,
  settings,
  source,
  until,
} from "./escrow-story.ts";

onOneNode();

describe("the administrator's side", () => {
  it("pages through a ledger that is chained, whole and narrowed to an account", async () => {
    const { id } = await openBounty("40000000");
    const all: any[] = [];
    for (let cursor = ""; ;) {
      const { data, meta } = (await at.http("GET", `/api/escrow/ledger?limit=2${cursor}`, { as: admin })).body;
      all.push(...data);
      if (!meta.next) break;
      cursor = `&cursor=${meta.next}`;
    }
    expect(all.map(({ seq }) => seq)).toEqual(Array.from({ length: all.length }, (_, n) => all.length - n));
    for (const [n, entry] of all.slice(0, -1).entries()) expect(entry.previous).toBe(all[n + 1].hash);
    const own = (await at.http("GET", `/api/escrow/ledger?account=bounty:${id}`, { as: admin })).body.data;
    expect(own).toMatchObject([
      { kind: "funding", lines: expect.arrayContaining([{ account: `bounty:${id}`, amount: "40000000" }]) },
    ]);
    for (const bad of ["cursor=x", "cursor=0", "account=nobody"])
      expect((await at.http("GET", `/api/escrow/ledger?${bad}`, { as: admin })).status).toBe(400);
  });

  it("finds money that came another way, and books it with a reason", async () => {
    node.sendNote("777", "00");
    node.mine(1);
    expect((await post("/reconcile", admin)).body.data).toMatchObject({
      drift: { shielded: "777", transparent: "0" },
      alert: expect.stringContaining("+777 shielded"),
    });
    expect((await get("/status", "reader")).reconciliation.alert).toContain("777");
    const given = { account: "pool", amount: "777", why: "A gift." };
    const [one, other] = await Promise.all(
      [1, 2].map(() => post("/ledger/adjustments", admin, given, { "idempotency-key": "gift" })),
    );
    expect([one!.status, other!.body]).toEqual([201, one!.body]);
    expect((await post("/reconcile", admin)).body.data).toMatchObject({ alert: null, drift: { shielded: "0" } });
    expect((await post("/ledger/adjustments", admin, { ...given, amount: "0" })).body.error.details).toMatchObject([
      { path: "amount" },
    ]);
  });

  it("says what a deposit of another amount is for", async () => {
    const { id } = await promise("60000000");
    const txid = node.deposit("61000000");
    node.mine(3);
    await post(`/bounties/${id}/fund`, "analyst");
    const [deposit] = (await at.http("GET", "/api/escrow/deposits?limit=1", { as: admin })).body.data;
    expect(deposit).toMatchObject({ txid, amount: "61000000", shielded: false });
    const given = { subject: `bounty:${id}`, why: "The creator wrote." };
    expect((await post(`/deposits/${deposit.id}/attribute`, admin, given)).body.data).toMatchObject({
      subject: `bounty:${id}`,
    });
    expect((await post(`/deposits/${deposit.id}/attribute`, admin, given)).status).toBe(409);
    await post("/shield", admin);
    expect(await until(`/bounties/${id}`, ({ stage }) => stage === "funded")).toMatchObject({ status: "open" });
    // The shielding that has just funded it may still be under way for a moment, and is then the answer.
    const none = await eventually(
      async () => (await post("/shield", admin)).body.data,
      ({ state }) => state === "nothing_to_shield",
    );
    expect(none).toEqual({
      success: true,
      operationId: null,
      state: "nothing_to_shield",
      amount: "0",
      reason: "Nothing lies at the transparent address; mined coins count once they have matured.",
    });
  });

  it("decides about a payout the wallet refuses for good; the bounty can be released again", async () => {
    const { id } = await openBounty("12000000");
    const payee = address();
    await post(`/bounties/${id}/submit`, source, { payee, evidence: "x" });
    await post(`/bounties/${id}/accept`, "analyst", {});
    node.fail("z_sendmany", { code: -8, message: "no" });
    const { payoutId, ...refused } = (await release(id)).body.data;
    expect(refused).toMatchObject({
      success: false,
      operationId: null,
      state: "manual_review",
      reason: expect.stringContaining("no"),
    });
    expect((await get("/status")).open.manualReview).toBe(1);
    expect((await at.http("GET", "/api/escrow/payouts?state=manual_review", { as: admin })).body.data).toMatchObject([
      { id: payoutId },
    ]);
    for (const body of [{ why: "?" }, { why: "?", notSent: true, txid: "0".repeat(64) }])
      expect((await post(`/payouts/${payoutId}/resolve`, admin, body)).status).toBe(400);
    expect(
      (await post(`/payouts/${payoutId}/resolve`, admin, { txid: "0".repeat(64), why: "?" })).body.error.code,
    ).toBe("TRANSACTION_MISMATCH");
    expect(
      (await post(`/payouts/${payoutId}/resolve`, admin, { notSent: true, why: "It was refused." })).body.data,
    ).toMatchObject({ state: "failed" });
    expect((await release(id)).body.data).toMatchObject({ success: true, operationId: expect.any(String) });
    await until(`/bounties/${id}`, ({ status }) => status === "paid");
    expect(paidTo(payee)).toEqual(["12000000"]);
  });

  it("is told when the wallet is away; a release is taken all the same and carried on when it is back", async () => {
    const { id } = await openBounty("13000000");
    const payee = address();
    await post(`/bounties/${id}/submit`, source, { payee, evidence: "x" });
    await post(`/bounties/${id}/accept`, "analyst", {});
    await node.down();
    try {
      expect(await get("/status")).toMatchObject({
        configured: true,
        reachable: false,
        wallet: null,
        problem: expect.any(String),
        ledger: { held: expect.any(String) },
      });
      for (const path of ["/shield", "/reconcile"])
        expect(await post(path, admin)).toMatchObject({
          status: 502,
          body: { error: { code: "UPSTREAM_UNREACHABLE" } },
        });
      expect((await release(id)).body.data).toMatchObject({
        success: true,
        operationId: null,
        state: "release_requested",
        reason: expect.any(String),
      });
    } finally {
      await node.up();
    }
    await until(`/bounties/${id}`, ({ status }) => status === "paid");
    expect(paidTo(payee)).toEqual(["13000000"]);
    expect(await get("/status")).toMatchObject({ configured: true, reachable: true, wallet: { transparent: "0" } });
  });
});

it("tells how the escrow stands also while the wallet is silent, soon", async () => {
  node.fail("getinfo", "silence-before");
  expect(await get("/status")).toMatchObject({
    configured: true,
    reachable: false,
    height: null,
    problem: expect.stringContaining("not answer"),
  });
});

describe("an installation without a wallet", () => {
  it("says so, and which settings are missing; what was stored can still be read", async () => {
    const bare = await world({ SHIELDED_RPC_URL: node.url });
    const missing = ["SHIELDED_RPC_USER", "SHIELDED_RPC_PASS", "SHIELDED_T_ADDRESS", "SHIELDED_Z_ADDRESS"];
    try {
      expect((await bare.http("GET", "/api/escrow/status", { as: "reader" })).body.data).toMatchObject({
        configured: false,
        missing,
        wallet: null,
        open: { bounties: 0 },
        reconciliation: null,
      });
      const given = { title: "x", amount: "5", refundAddress: address() };
      const id = "kept-from-before";
      const now = new Date().toISOString();
      const stored = {
        ...given,
        _id: id,
        description: "",
        stage: "funded",
        status: "open",
        round: 0,
        rev: 1,
        createdAt: now,
        updatedAt: now,
        createdBy: "somebody",
      };
      await (await bare.mesh.world.documents.collection("escrow_bounties")).insert(stored);
      for (const [path, body] of [["shield"], [`bounty/${id}/release`], ["bounties", given], ["reconcile"]] as const) {
        const refused = await bare.http("POST", `/api/escrow/${path}`, { body });
        expect(refused).toMatchObject({ status: 503, body: { error: { code: "NOT_CONFIGURED" } } });
        for (const name of missing) expect(refused.body.error.message).toContain(name);
      }
      expect((await bare.http("GET", `/api/escrow/bounties/${id}`)).body.data).toMatchObject({ title: "x" });
    } finally {
      await bare.stop();
    }
  });

  it("does not start with settings that cannot be, and names them", async () => {
    await expect(world({ ...settings(), SHIELDED_T_ADDRESS: node.zAddress })).rejects.toThrow(/SHIELDED_T_ADDRESS/);
    await expect(world({ ...settings(), SHIELDED_Z_ADDRESS: "zs1nonsense" })).rejects.toThrow(/SHIELDED_Z_ADDRESS/);
  });
});
