import {
  address,
  admin,
  at,
  fund,
  get,
  login,
  node,
  onOneNode,
  openBounty,
  paidTo,
  post,
  promise,
  release,
  source,
  until,
} from "./escrow-story.ts";

onOneNode();

describe("a bounty", () => {
  it("lives from its promise to its payment, each step by whom it belongs to, and is paid once", async () => {
    const bounty = await promise();
    const path = `/bounties/${bounty.id}`;
    expect(bounty).toMatchObject({ stage: "created", amount: "50000000", due: expect.stringMatching(/^\d+$/) });
    expect(await get(`${path}/deposit`, "analyst")).toEqual({
      address: node.tAddress,
      amount: bounty.due,
      stage: "created",
      progress: expect.stringContaining("All of it is missing"),
    });
    expect(await fund(path, bounty.due)).toMatchObject({ status: "open", stage: "funded" });
    expect(await get(`${path}/deposit`, "analyst")).toMatchObject({
      received: bounty.due,
      progress: "It has come in.",
    });

    const payee = address();
    const early = await release(bounty.id);
    expect(early.body.error.code).toBe("INVALID_TRANSITION");
    const refused = await post(`${path}/submit`, source, {
      payee: node.chain.dice.transparentAddress(),
      evidence: "x",
    });
    expect(refused).toMatchObject({
      status: 422,
      body: { error: { code: "INVALID_PAYEE", details: [{ path: "payee" }] } },
    });
    const answered = await post(`${path}/submit`, source, { payee, evidence: "https://example.org/register" });
    expect(answered.body.data).toMatchObject({ status: "submitted", submission: { payee } });
    expect(answered.body.data.refundAddress).toBeUndefined();
    expect((await release(bounty.id)).body.error.code).toBe("NOT_ACCEPTED");
    expect((await post(`${path}/refund`, "analyst")).body.error.code).toBe("PENDING_REVIEW");
    expect((await post(`${path}/accept`, source, {})).status).toBe(404);
    expect((await post(`${path}/accept`, "analyst", { note: "Good." })).body.data.verdict).toMatchObject({
      accepted: true,
      basis: "creator",
    });

    const releases = await Promise.all([1, 2, 3, 4].map(() => release(bounty.id)));
    for (const { status } of releases) expect(status).toBe(200);
    const again = (await release(bounty.id)).body.data;
    expect(again).toMatchObject({
      success: true,
      operationId: expect.stringMatching(/^opid-/),
      kind: "release",
      amount: "50000000",
    });
    expect(new Set(releases.map(({ body }) => body.data.payoutId))).toEqual(new Set([again.payoutId]));
    expect(await until(path, ({ stage }) => stage === "closed")).toMatchObject({ status: "paid" });
    expect((await release(bounty.id)).body.data).toMatchObject({
      success: true,
      payoutId: again.payoutId,
      state: "closed",
    });
    const held = async (as: typeof source | "analyst") =>
      (await at.http("GET", "/api/user-profile/export", { as })).body.data.holdings.escrow;
    expect((await held("analyst"))["Bounties that you placed"]).toContainEqual(
      expect.objectContaining({ id: bounty.id, refundAddress: bounty.refundAddress }),
    );
    const { "Your answers to bounties": answers, ...other } = await held(source);
    expect(answers).toContainEqual(
      expect.objectContaining({ bountyId: bounty.id, status: "paid", submission: expect.objectContaining({ payee }) }),
    );
    expect(JSON.stringify([answers, other])).not.toContain(bounty.refundAddress);
    expect(paidTo(payee)).toEqual(["50000000"]);
    expect(await get(`/payouts/${again.payoutId}`)).toMatchObject({
      state: "closed",
      attempts: 1,
      subject: `bounty:${bounty.id}`,
    });
    expect((await post("/reconcile", admin)).body.data).toMatchObject({ alert: null });
  });

  it("tells its creator that a payment a little off may be theirs, and nothing of whose it is", async () => {
    const { id, due } = await promise("71000000");
    const off = String(BigInt(due) + 1n);
    const look = async (bounty: string) => {
      await post(`/bounties/${bounty}/fund`, "analyst");
      return get(`/bounties/${bounty}/deposit`, "analyst");
    };
    expect((await look(id)).progress).not.toContain("nearly");
    at.clock.advance(1_000);
    const txid = node.deposit(off);
    node.mine(3);
    const told = await look(id);
    expect(told).toMatchObject({
      stage: "created",
      amount: due,
      progress: expect.stringContaining("nearly this amount"),
    });
    expect(JSON.stringify(told)).not.toMatch(new RegExp(`${txid}|${off}`));
    // Nobody else's: of another amount, or asked for afterwards.
    at.clock.advance(1_000);
    expect((await look((await promise("72000000")).id)).progress).not.toContain("nearly");
    expect((await look((await promise("71000000")).id)).progress).not.toContain("nearly");
    const given = { subject: `bounty:${id}`, why: "The creator named the transaction." };
    expect((await post(`/deposits/${txid}:0/attribute`, admin, given)).status).toBe(200);
    expect(await get(`/bounties/${id}/deposit`, "analyst")).toMatchObject({
      received: off,
      progress: "It has come in, and waits to be moved into the shielded pool.",
    });
  });

  it("that is rejected gives the money back", async () => {
    const { id, refundAddress } = await openBounty("20000000");
    await post(`/bounties/${id}/submit`, source, { payee: address(), evidence: "x" });
    expect((await post(`/bounties/${id}/reject`, "analyst", {})).status).toBe(200);
    expect(await until(`/bounties/${id}`, ({ stage }) => stage === "closed")).toMatchObject({
      status: "refunded",
      verdict: { accepted: false },
    });
    expect(paidTo(refundAddress)).toEqual(["20000000"]);
    expect((await release(id)).status).toBe(409);
  });

  it("is released by a person who has just proved who they are, never by a key or an old sign-in", async () => {
    const { id } = await promise();
    const old = await login("chief@example.org");
    const { key } = (await at.http("POST", "/api/keys", { as: old, body: { name: "payer", scopes: ["write"] } })).body
      .data;
    expect((await post(`/bounty/${id}/release`, old)).body.error.code).toBe("INVALID_TRANSITION");
    const byKey = await at.http("POST", `/api/escrow/bounty/${id}/release`, {
      as: null,
      headers: { "x-api-key": key },
    });
    expect(byKey).toMatchObject({ status: 403, body: { error: { code: "STEP_UP_REQUIRED" } } });
    at.clock.advance(301_000);
    expect(await post(`/bounty/${id}/release`, old)).toMatchObject({
      status: 403,
      body: { error: { code: "STEP_UP_REQUIRED" } },
    });
    expect((await release(id)).body.error.code).toBe("INVALID_TRANSITION");
  });

  it("is refunded at its creator's word, once however often that is given", async () => {
    const { id, refundAddress } = await openBounty("30000000");
    const [one, other] = await Promise.all([
      post(`/bounties/${id}/refund`, "analyst"),
      post(`/bounties/${id}/refund`, "analyst"),
    ]);
    expect(one.body.data.payoutId).toBe(other.body.data.payoutId);
    expect(await until(`/bounties/${id}`, ({ stage }) => stage === "closed")).toMatchObject({ status: "refunded" });
    expect(paidTo(refundAddress)).toEqual(["30000000"]);
  });

  it("is accepted by an administrator as the word of crowd verification, never by who answered it", async () => {
    const { id } = await openBounty("10000000");
    await post(`/bounties/${id}/submit`, admin, { payee: address(), evidence: "x" });
    expect((await post(`/bounties/${id}/accept`, admin, {})).status).toBe(403);
    expect((await post(`/bounties/${id}/accept`, "system_admin", {})).body.data.verdict).toMatchObject({
      basis: "crowd",
    });
  });

  it("does not exist for others until it is open, and then shows no address", async () => {
    const mine = await promise();
    for (const as of ["reader", source])
      expect((await at.http("GET", `/api/escrow/bounties/${mine.id}`, { as })).status).toBe(404);
    for (const act of ["cancel", "refund", "fund"])
      expect((await post(`/bounties/${mine.id}/${act}`, source)).status).toBe(404);
    expect((await post(`/bounties/${mine.id}/submit`, source, { payee: address(), evidence: "x" })).status).toBe(404);
    expect((await at.http("GET", `/api/escrow/bounties/${mine.id}/deposit`, { as: source })).status).toBe(404);
    const seen = (await at.http("GET", "/api/escrow/bounties", { as: "reader" })).body;
    expect(seen.meta.total).toBeGreaterThan(0);
    for (const row of seen.data) {
      expect(row.id).not.toBe(mine.id);
      expect(
        Object.keys(row).filter((name) => ["refundAddress", "due", "submission", "depositId"].includes(name)),
      ).toEqual([]);
    }
    expect(
      (await at.http("GET", "/api/escrow/bounties?stage=created", { as: "analyst" })).body.data.map(
        ({ id }: any) => id,
      ),
    ).toContain(mine.id);
    expect((await post(`/bounties/${mine.id}/cancel`, "analyst")).body.data).toMatchObject({
      stage: "closed",
      status: "failed",
    });
    expect((await at.http("GET", `/api/escrow/bounties/${mine.id}`, { as: "reader" })).status).toBe(404);
  });

  it("is promised once under one idempotency key, and only with amounts and addresses that can be", async () => {
    const body = { title: "Once", amount: "5000", refundAddress: address() };
    const made = await Promise.all(
      [1, 2, 3].map(() => post("/bounties", "analyst", body, { "idempotency-key": "one-bounty" })),
    );
    expect(new Set(made.map(({ body: { data } }) => data.id)).size).toBe(1);
    for (const amount of ["0", "-1", "1.5", "1e8", "007", "2100000000000000", 5000, "9".repeat(40)]) {
      const { status, body: answer } = await post("/bounties", "analyst", { ...body, amount });
      expect([amount, status, answer.error.details.map(({ path }: any) => path)]).toEqual([
        amount,
        400,
        expect.arrayContaining(["amount"]),
      ]);
    }
    const open = await post("/bounties", "analyst", { ...body, refundAddress: node.chain.dice.transparentAddress() });
    expect(open).toMatchObject({
      status: 422,
      body: { error: { code: "INVALID_PAYEE", details: [{ path: "refundAddress" }] } },
    });
    const audited = await (
      await at.mesh.world.documents.collection("audit")
    ).find({ query: { action: "escrow.bounties.create" }, sort: ["-seq"], limit: 2 });
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
      for (const path of ["/shield", `/bounty/${id}/release`, "/reconcile"])
        expect((await post(path, as)).status).toBe(403);
      for (const path of ["/ledger", "/payouts", "/deposits"])
        expect((await at.http("GET", `/api/escrow${path}`, { as })).status).toBe(403);
    }
  });
});
