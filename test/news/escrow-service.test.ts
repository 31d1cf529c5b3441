import { standIn, type StandIn } from "../../adapters/wallet/stand-in.ts";
import { eventually, PASSWORD, world, type Reply, type TestWorld } from "../mesh.ts";

const DAY = 86_400_000;
/** Less than a payout's longest pause, so that clock and chain go on together. */
const PAUSE = 30_000;
let node: StandIn;
let at: TestWorld;
/** Tokens of an administrator, who is not the installation's first account, and of somebody who answers bounties. */
let admin: string, source: string;
beforeAll(async () => {
  node = await standIn();
  at = await world(settings());
  admin = await account("chief@example.org", "admin");
  source = await account("source@example.org", "analyst");
});
afterAll(async () => {
  await at.stop();
  await node.close();
});

const settings = () => ({
  SHIELDED_RPC_URL: node.url, SHIELDED_RPC_USER: node.user, SHIELDED_RPC_PASS: node.pass, SHIELDED_T_ADDRESS: node.tAddress, SHIELDED_Z_ADDRESS: node.zAddress,
});
const address = (): string => node.chain.dice.saplingAddress();
const login = async (email: string): Promise<string> => (await at.http("POST", "/api/auth/login", { as: null, body: { email, password: PASSWORD } })).body.data.token;
async function account(email: string, role: string): Promise<string> {
  await at.http("POST", "/api/auth/users", { body: { email, role, password: PASSWORD } });
  return login(email);
}
const get = async (path: string, as = admin): Promise<any> => (await at.http("GET", `/api/escrow${path}`, { as })).body.data;
const post = (path: string, as: string, body?: object, headers?: Record<string, string>): Promise<Reply> => at.http("POST", `/api/escrow${path}`, { as, body, headers });
/** Payouts want a sign-in that is at most five minutes old, and these stories take days. */
const release = async (id: string): Promise<Reply> => post(`/bounty/${id}/release`, await login("chief@example.org"));
const paidTo = (payee: string): string[] => node.payments().filter((payment) => payment.address === payee).map(({ amount }) => amount);

/** Lets wallet, chain and clock go on until what a path answers fits; the service's own schedules carry the work. */
const until = (path: string, fits: (record: any) => boolean): Promise<any> => eventually(() => {
  node.settle();
  node.mine(1);
  at.clock.advance(PAUSE);
  return get(path);
}, fits);

async function promise(amount = "50000000", traits: object = {}): Promise<any> {
  const made = await post("/bounties", "analyst", { title: "Who owns the mine?", amount, refundAddress: address(), ...traits });
  expect(made.status).toBe(201);
  return made.body.data;
}

/** Pays the exact amount in and sees it into the pool. */
async function fund(path: string, due: string): Promise<any> {
  node.deposit(due);
  node.mine(3);
  expect((await post("/shield", admin)).body).toMatchObject({ data: { success: true, operationId: expect.stringMatching(/^opid-/), kind: "shield" } });
  return until(path, ({ stage }) => stage === "funded");
}

async function openBounty(amount?: string): Promise<any> {
  const { id, due } = await promise(amount);
  return fund(`/bounties/${id}`, due);
}

describe("a bounty", () => {
  it("lives from its promise to its payment, each step by whom it belongs to, and is paid once", async () => {
    const bounty = await promise();
    const path = `/bounties/${bounty.id}`;
    expect(bounty).toMatchObject({ stage: "created", amount: "50000000", due: expect.stringMatching(/^\d+$/) });
    expect(await get(`${path}/deposit`, "analyst")).toEqual({ address: node.tAddress, amount: bounty.due, stage: "created" });
    expect(await fund(path, bounty.due)).toMatchObject({ status: "open", stage: "funded" });

    const payee = address();
    const early = await release(bounty.id);
    expect(early.body.error.code).toBe("INVALID_TRANSITION");
    const refused = await post(`${path}/submit`, source, { payee: node.chain.dice.transparentAddress(), evidence: "x" });
    expect(refused).toMatchObject({ status: 422, body: { error: { code: "PAYEE_REFUSED", details: [{ path: "payee" }] } } });
    const answered = await post(`${path}/submit`, source, { payee, evidence: "https://example.org/register" });
    expect(answered.body.data).toMatchObject({ status: "submitted", submission: { payee } });
    expect(answered.body.data.refundAddress).toBeUndefined();
    expect((await release(bounty.id)).body.error.code).toBe("NOT_ACCEPTED");
    expect((await post(`${path}/refund`, "analyst")).body.error.code).toBe("NOT_JUDGED");
    expect((await post(`${path}/accept`, source, {})).status).toBe(404);
    expect((await post(`${path}/accept`, "analyst", { note: "Good." })).body.data.verdict).toMatchObject({ accepted: true, basis: "creator" });

    const releases = await Promise.all([1, 2, 3, 4].map(() => release(bounty.id)));
    for (const { status } of releases) expect(status).toBe(200);
    const again = (await release(bounty.id)).body.data;
    expect(again).toMatchObject({ success: true, operationId: expect.stringMatching(/^opid-/), kind: "release", amount: "50000000" });
    expect(new Set(releases.map(({ body }) => body.data.payoutId))).toEqual(new Set([again.payoutId]));
    expect(await until(path, ({ stage }) => stage === "closed")).toMatchObject({ status: "paid" });
    expect((await release(bounty.id)).body.data).toMatchObject({ success: true, payoutId: again.payoutId, state: "closed" });
    expect(paidTo(payee)).toEqual(["50000000"]);
    expect(await get(`/payouts/${again.payoutId}`)).toMatchObject({ state: "closed", attempts: 1, subject: `bounty:${bounty.id}` });
    expect((await post("/reconcile", admin)).body.data).toMatchObject({ alert: null });
  }, 60_000);

  it("that is rejected gives the money back", async () => {
    const { id, refundAddress } = await openBounty("20000000");
    await post(`/bounties/${id}/submit`, source, { payee: address(), evidence: "x" });
    expect((await post(`/bounties/${id}/reject`, "analyst", {})).status).toBe(200);
    expect(await until(`/bounties/${id}`, ({ stage }) => stage === "closed")).toMatchObject({ status: "refunded", verdict: { accepted: false } });
    expect(paidTo(refundAddress)).toEqual(["20000000"]);
    expect((await release(id)).status).toBe(409);
  }, 60_000);

  it("is released by a person who has just proved who they are, never by a key or an old sign-in", async () => {
    const { id } = await promise();
    const old = await login("chief@example.org");
    const { key } = (await at.http("POST", "/api/keys", { as: old, body: { name: "payer", scopes: ["write"] } })).body.data;
    expect((await post(`/bounty/${id}/release`, old)).body.error.code).toBe("INVALID_TRANSITION");
    const byKey = await at.http("POST", `/api/escrow/bounty/${id}/release`, { as: null, headers: { "x-api-key": key } });
    expect(byKey).toMatchObject({ status: 403, body: { error: { code: "STEP_UP_REQUIRED" } } });
    at.clock.advance(301_000);
    expect(await post(`/bounty/${id}/release`, old)).toMatchObject({ status: 403, body: { error: { code: "STEP_UP_REQUIRED" } } });
    expect((await release(id)).body.error.code).toBe("INVALID_TRANSITION");
  });

  it("is refunded at its creator's word, once however often that is given", async () => {
    const { id, refundAddress } = await openBounty("30000000");
    const [one, other] = await Promise.all([post(`/bounties/${id}/refund`, "analyst"), post(`/bounties/${id}/refund`, "analyst")]);
    expect(one.body.data.payoutId).toBe(other.body.data.payoutId);
    expect(await until(`/bounties/${id}`, ({ stage }) => stage === "closed")).toMatchObject({ status: "refunded" });
    expect(paidTo(refundAddress)).toEqual(["30000000"]);
  }, 60_000);

  it("is accepted by an administrator as the word of crowd verification, never by who answered it", async () => {
    const { id } = await openBounty("10000000");
    await post(`/bounties/${id}/submit`, admin, { payee: address(), evidence: "x" });
    expect((await post(`/bounties/${id}/accept`, admin, {})).status).toBe(403);
    expect((await post(`/bounties/${id}/accept`, "system_admin", {})).body.data.verdict).toMatchObject({ basis: "crowd" });
  }, 60_000);

  it("does not exist for others until it is open, and then shows no address", async () => {
    const mine = await promise();
    for (const as of ["reader", source]) expect((await at.http("GET", `/api/escrow/bounties/${mine.id}`, { as })).status).toBe(404);
    for (const act of ["cancel", "refund", "fund"]) expect((await post(`/bounties/${mine.id}/${act}`, source)).status).toBe(404);
    expect((await post(`/bounties/${mine.id}/submit`, source, { payee: address(), evidence: "x" })).status).toBe(404);
    expect((await at.http("GET", `/api/escrow/bounties/${mine.id}/deposit`, { as: source })).status).toBe(404);
    const seen = (await at.http("GET", "/api/escrow/bounties", { as: "reader" })).body;
    expect(seen.meta.total).toBeGreaterThan(0);
    for (const row of seen.data) {
      expect(row.id).not.toBe(mine.id);
      expect(Object.keys(row).filter((name) => ["refundAddress", "due", "submission", "depositId"].includes(name))).toEqual([]);
    }
    expect((await at.http("GET", "/api/escrow/bounties?stage=created", { as: "analyst" })).body.data.map(({ id }: any) => id)).toContain(mine.id);
    expect((await post(`/bounties/${mine.id}/cancel`, "analyst")).body.data).toMatchObject({ stage: "closed", status: "failed" });
    expect((await at.http("GET", `/api/escrow/bounties/${mine.id}`, { as: "reader" })).status).toBe(404);
  });

  it("is promised once under one idempotency key, and only with amounts and addresses that can be", async () => {
    const body = { title: "Once", amount: "5000", refundAddress: address() };
    const made = await Promise.all([1, 2, 3].map(() => post("/bounties", "analyst", body, { "idempotency-key": "one-bounty" })));
    expect(new Set(made.map(({ body: { data } }) => data.id)).size).toBe(1);
    for (const amount of ["0", "-1", "1.5", "1e8", "007", "2100000000000000", 5000, "9".repeat(40)]) {
      const { status, body: answer } = await post("/bounties", "analyst", { ...body, amount });
      expect([amount, status, answer.error.details.map(({ path }: any) => path)]).toEqual([amount, 400, expect.arrayContaining(["amount"])]);
    }
    const open = await post("/bounties", "analyst", { ...body, refundAddress: node.chain.dice.transparentAddress() });
    expect(open).toMatchObject({ status: 422, body: { error: { code: "PAYEE_REFUSED", details: [{ path: "refundAddress" }] } } });
    const audited = await (await at.mesh.world.documents.collection("audit")).find({ query: { action: "escrow.bounties.create" }, sort: ["-seq"], limit: 2 });
    expect(audited.map(({ outcome }) => outcome)).toEqual(["refused", "ok"]);
    expect(audited.at(-1)!["object"]).toEqual({ type: "bounties", id: made[0]!.body.data.id });
  });
});

describe("who may do what", () => {
  it("readers look, analysts take part, administrators release", async () => {
    const { id } = await promise();
    expect((await at.http("GET", "/api/escrow/status", { as: "reader" })).status).toBe(200);
    expect((await at.http("GET", "/api/escrow/status", { as: null })).status).toBe(401);
    expect((await post("/bounties", "reader", { title: "x", amount: "5", refundAddress: address() })).status).toBe(403);
    for (const as of ["reader", "analyst"]) {
      for (const path of ["/shield", `/bounty/${id}/release`, "/reconcile"]) expect((await post(path, as)).status).toBe(403);
      for (const path of ["/ledger", "/payouts", "/deposits"]) expect((await at.http("GET", `/api/escrow${path}`, { as })).status).toBe(403);
    }
  });
});

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
    expect(own).toMatchObject([{ kind: "funding", lines: expect.arrayContaining([{ account: `bounty:${id}`, amount: "40000000" }]) }]);
    for (const bad of ["cursor=x", "cursor=0", "account=nobody"]) expect((await at.http("GET", `/api/escrow/ledger?${bad}`, { as: admin })).status).toBe(400);
  }, 60_000);

  it("finds money that came another way, and books it with a reason", async () => {
    node.sendNote("777", "00");
    node.mine(1);
    expect((await post("/reconcile", admin)).body.data).toMatchObject({ drift: { shielded: "777", transparent: "0" }, alert: expect.stringContaining("+777 shielded") });
    expect((await get("/status", "reader")).reconciliation.alert).toContain("777");
    const given = { account: "pool", amount: "777", why: "A gift." };
    const [one, other] = await Promise.all([1, 2].map(() => post("/ledger/adjustments", admin, given, { "idempotency-key": "gift" })));
    expect([one!.status, other!.body]).toEqual([201, one!.body]);
    expect((await post("/reconcile", admin)).body.data).toMatchObject({ alert: null, drift: { shielded: "0" } });
    expect((await post("/ledger/adjustments", admin, { ...given, amount: "0" })).body.error.details).toMatchObject([{ path: "amount" }]);
  });

  it("says what a deposit of another amount is for", async () => {
    const { id } = await promise("60000000");
    const txid = node.deposit("61000000");
    node.mine(3);
    await post(`/bounties/${id}/fund`, "analyst");
    const [deposit] = (await at.http("GET", "/api/escrow/deposits?limit=1", { as: admin })).body.data;
    expect(deposit).toMatchObject({ txid, amount: "61000000", shielded: false });
    const given = { subject: `bounty:${id}`, why: "The creator wrote." };
    expect((await post(`/deposits/${deposit.id}/attribute`, admin, given)).body.data).toMatchObject({ subject: `bounty:${id}` });
    expect((await post(`/deposits/${deposit.id}/attribute`, admin, given)).status).toBe(409);
    await post("/shield", admin);
    expect(await until(`/bounties/${id}`, ({ stage }) => stage === "funded")).toMatchObject({ status: "open" });
  }, 60_000);

  it("decides about a payout the wallet refuses for good; the bounty can be released again", async () => {
    const { id } = await openBounty("12000000");
    const payee = address();
    await post(`/bounties/${id}/submit`, source, { payee, evidence: "x" });
    await post(`/bounties/${id}/accept`, "analyst", {});
    node.fail("z_sendmany", { code: -8, message: "no" });
    const { payoutId, ...refused } = (await release(id)).body.data;
    expect(refused).toMatchObject({ success: false, operationId: null, state: "manual_review", reason: expect.stringContaining("no") });
    expect((await get("/status")).open.manualReview).toBe(1);
    expect((await at.http("GET", "/api/escrow/payouts?state=manual_review", { as: admin })).body.data).toMatchObject([{ id: payoutId }]);
    for (const body of [{ why: "?" }, { why: "?", notSent: true, txid: "0".repeat(64) }]) expect((await post(`/payouts/${payoutId}/resolve`, admin, body)).status).toBe(400);
    expect((await post(`/payouts/${payoutId}/resolve`, admin, { txid: "0".repeat(64), why: "?" })).body.error.code).toBe("NOT_THIS_TRANSACTION");
    expect((await post(`/payouts/${payoutId}/resolve`, admin, { notSent: true, why: "It was refused." })).body.data).toMatchObject({ state: "failed" });
    expect((await release(id)).body.data).toMatchObject({ success: true, operationId: expect.any(String) });
    await until(`/bounties/${id}`, ({ status }) => status === "paid");
    expect(paidTo(payee)).toEqual(["12000000"]);
  }, 60_000);

  it("is told when the wallet is away; a release is taken all the same and carried on when it is back", async () => {
    const { id } = await openBounty("13000000");
    const payee = address();
    await post(`/bounties/${id}/submit`, source, { payee, evidence: "x" });
    await post(`/bounties/${id}/accept`, "analyst", {});
    await node.down();
    try {
      expect(await get("/status")).toMatchObject({ configured: true, reachable: false, wallet: null, problem: expect.any(String), ledger: { held: expect.any(String) } });
      for (const path of ["/shield", "/reconcile"]) expect(await post(path, admin)).toMatchObject({ status: 502, body: { error: { code: "UPSTREAM_UNREACHABLE" } } });
      expect((await release(id)).body.data).toMatchObject({ success: true, operationId: null, state: "release_requested", reason: expect.any(String) });
    } finally {
      await node.up();
    }
    await until(`/bounties/${id}`, ({ status }) => status === "paid");
    expect(paidTo(payee)).toEqual(["13000000"]);
    expect(await get("/status")).toMatchObject({ configured: true, reachable: true, wallet: { transparent: "0" } });
  }, 60_000);
});

it("tells how the escrow stands also while the wallet is silent, soon", async () => {
  node.fail("getinfo", "silence-before");
  expect(await get("/status")).toMatchObject({ configured: true, reachable: false, height: null, problem: expect.stringContaining("not answer") });
});

describe("an installation without a wallet", () => {
  it("says so, and which settings are missing; what was stored can still be read", async () => {
    const bare = await world({ SHIELDED_RPC_URL: node.url });
    const missing = ["SHIELDED_RPC_USER", "SHIELDED_RPC_PASS", "SHIELDED_T_ADDRESS", "SHIELDED_Z_ADDRESS"];
    try {
      expect((await bare.http("GET", "/api/escrow/status", { as: "reader" })).body.data).toMatchObject({ configured: false, missing, wallet: null, open: { bounties: 0 }, reconciliation: null });
      const given = { title: "x", amount: "5", refundAddress: address() };
      const id = "kept-from-before";
      const now = new Date().toISOString();
      const stored = { ...given, _id: id, description: "", stage: "funded", status: "open", round: 0, rev: 1, createdAt: now, updatedAt: now, createdBy: "somebody" };
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
  }, 30_000);

  it("does not start with settings that cannot be, and names them", async () => {
    await expect(world({ ...settings(), SHIELDED_T_ADDRESS: node.zAddress })).rejects.toThrow(/SHIELDED_T_ADDRESS/);
    await expect(world({ ...settings(), SHIELDED_Z_ADDRESS: "zs1nonsense" })).rejects.toThrow(/SHIELDED_Z_ADDRESS/);
  }, 30_000);
});

describe("a subscription", () => {
  const draft = () => ({ payee: address(), amount: "11000000", refundAddress: address() });

  it("is the subscriber's alone, and names what it cannot take", async () => {
    const made = await post("/subscriptions", "analyst", draft());
    expect(made.status).toBe(201);
    const { id } = made.body.data;
    expect((await at.http("GET", `/api/escrow/subscriptions/${id}`, { as: source })).status).toBe(404);
    expect((await post(`/subscriptions/${id}/cancel`, source)).status).toBe(404);
    expect((await at.http("GET", "/api/escrow/subscriptions", { as: source })).body.meta.total).toBe(0);
    expect((await post("/subscriptions", "analyst", { ...draft(), sourceId: 424_242 })).body.error).toMatchObject({ code: "UNKNOWN_SOURCE", details: [{ path: "sourceId" }] });
    expect((await post("/subscriptions", "analyst", { ...draft(), payee: node.chain.dice.transparentAddress() })).body.error.details).toMatchObject([{ path: "payee" }]);
    expect((await post(`/subscriptions/${id}/cancel`, "analyst")).body.data).toMatchObject({ status: "cancelled", stage: "closed" });
    expect((await post(`/subscriptions/${id}/cancel`, "analyst")).status).toBe(409);
  });

  it("pays the source when its month is over, waits for the next deposit, and ends when it is cancelled", async () => {
    const { id, due, payee } = (await post("/subscriptions", "analyst", draft())).body.data;
    const active = await fund(`/subscriptions/${id}`, due);
    expect(active).toMatchObject({ status: "active", period: 1 });
    expect(paidTo(payee)).toEqual([]);
    const later = await overTheMonth(active.to);
    const seen = async () => (await at.http("GET", `/api/escrow/subscriptions/${id}`, { as: later })).body.data;
    const renewed = await eventually(() => { node.settle(); node.mine(1); at.clock.advance(PAUSE); return seen(); }, ({ status, due: next }) => status === "renewed" && next !== undefined, 40_000);
    expect(renewed).toMatchObject({ period: 2, stage: "created", due: expect.any(String), lapsesAt: expect.any(String) });
    expect(paidTo(payee)).toEqual(["11000000"]);
    expect((await post(`/subscriptions/${id}/cancel`, later)).body.data).toMatchObject({ status: "cancelled", stage: "closed" });
  }, 90_000);

  /** Moves the clock past the end; tokens are over by then, so somebody signs in anew. */
  async function overTheMonth(to: string): Promise<string> {
    at.clock.advance(Math.max(0, Date.parse(to) - at.clock.now()) + 1);
    expect(Date.parse(to) - at.clock.now()).toBeLessThan(DAY);
    return login("chief@example.org");
  }
});
