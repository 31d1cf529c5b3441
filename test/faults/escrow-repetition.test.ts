import type { Reply } from "../mesh.ts";
import {
  address,
  admin,
  at,
  fund,
  login,
  node,
  onOneNode,
  openBounty,
  post,
  promise,
  release,
  source,
} from "../news/escrow/escrow-story.ts";

// What test/claims/idempotency says of every POST, for those that need a wallet: twenty at once under one key run once
// and are answered alike, and where a node died before it answered, the repetition makes nothing twice.

onOneNode();

interface Asked {
  path: string;
  as: string;
  body?: object;
}
const AMOUNT = "10000000";
const answered = async (): Promise<string> => {
  const { id } = await openBounty(AMOUNT);
  expect((await post(`/bounties/${id}/submit`, source, { payee: address(), evidence: "x" })).status).toBe(200);
  return id;
};
const accepted = async (): Promise<string> => {
  const id = await answered();
  expect((await post(`/bounties/${id}/accept`, "analyst", {})).status).toBe(200);
  return id;
};
const subscription = () => ({ payee: address(), amount: "11000000", refundAddress: address() });
const served = async (): Promise<string> => {
  const { data } = (await post("/subscriptions", "analyst", subscription())).body;
  await fund(`/subscriptions/${data.id}`, data.due);
  return data.id;
};

const ROWS: Record<string, () => Promise<Asked>> = {
  "bounties.create": async () => ({
    path: "/bounties",
    as: "analyst",
    body: { title: "Once", amount: AMOUNT, refundAddress: address() },
  }),
  "bounties.fund": async () => {
    const { id, due } = await promise(AMOUNT);
    node.deposit(due);
    node.mine(3);
    return { path: `/bounties/${id}/fund`, as: "analyst" };
  },
  "bounties.submit": async () => ({
    path: `/bounties/${(await openBounty(AMOUNT)).id}/submit`,
    as: source,
    body: { payee: address(), evidence: "x" },
  }),
  "bounties.accept": async () => ({
    path: `/bounties/${await answered()}/accept`,
    as: "analyst",
    body: { note: "Good." },
  }),
  "bounties.reject": async () => ({ path: `/bounties/${await answered()}/reject`, as: "analyst", body: {} }),
  "bounties.refund": async () => ({ path: `/bounties/${(await openBounty(AMOUNT)).id}/refund`, as: "analyst" }),
  "bounties.cancel": async () => ({ path: `/bounties/${(await promise(AMOUNT)).id}/cancel`, as: "analyst" }),
  "bounties.release": async () => ({
    path: `/bounty/${await accepted()}/release`,
    as: await login("chief@example.org"),
  }),
  "subscriptions.create": async () => ({ path: "/subscriptions", as: "analyst", body: subscription() }),
  "subscriptions.cancel": async () => ({ path: `/subscriptions/${await served()}/cancel`, as: "analyst" }),
  "subscriptions.release": async () => ({
    path: `/subscriptions/${await served()}/release`,
    as: await login("chief@example.org"),
  }),
  "payouts.resolve": async () => {
    const id = await accepted();
    node.fail("z_sendmany", { code: -8, message: "no" });
    const { payoutId } = (await release(id)).body.data;
    return { path: `/payouts/${payoutId}/resolve`, as: admin, body: { notSent: true, why: "It was refused." } };
  },
  "subscriptions.refund": async () => {
    const id = await served();
    node.fail("z_sendmany", { code: -8, message: "no" });
    const { payoutId } = (await post(`/subscriptions/${id}/release`, await login("chief@example.org"))).body.data;
    expect(
      (await post(`/payouts/${payoutId}/resolve`, admin, { notSent: true, why: "It was refused." })).body.data,
    ).toMatchObject({ state: "failed" });
    return { path: `/subscriptions/${id}/refund`, as: await login("chief@example.org") };
  },
  // These leave the wallet with money of no bounty, or books that differ from it.
  shield: async () => {
    const { due } = await promise("15000000");
    node.deposit(due);
    node.mine(3);
    return { path: "/shield", as: admin };
  },
  reconcile: async () => ({ path: "/reconcile", as: admin }),
  "ledger.adjust": async () => ({
    path: "/ledger/adjustments",
    as: admin,
    body: { account: "pool", amount: "777", why: "A gift." },
  }),
  "deposits.attribute": async () => {
    const { id } = await promise("60000000");
    node.deposit("61000000");
    node.mine(3);
    await post(`/bounties/${id}/fund`, "analyst");
    const [deposit] = (await at.http("GET", "/api/escrow/deposits?limit=1", { as: admin })).body.data;
    return {
      path: `/deposits/${deposit.id}/attribute`,
      as: admin,
      body: { subject: `bounty:${id}`, why: "The creator wrote." },
    };
  },
};

const collection = (name: string) => at.commons("escrow").world.documents.collection(name);
const held = async (): Promise<number[]> =>
  Promise.all(
    ["escrow_bounties", "escrow_subscriptions", "escrow_payouts", "escrow_ledger"].map(async (name) =>
      (await collection(name)).count(),
    ),
  );

const idOf = ({ body: { data } }: Reply): unknown => data?.payoutId ?? data?.id;

it.each(Object.keys(ROWS))("%s", async (name) => {
  const { path, as, body } = await ROWS[name]!();
  const ran = async (): Promise<number> =>
    (await collection("audit")).count({ query: { action: { $regex: "^escrow\\." }, outcome: "ok" } });
  await (await collection("idempotency")).clear();
  const before = await ran();
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => post(path, as, body, { "idempotency-key": "once" })),
  );
  const [first] = replies;
  expect(first!.status).toBeLessThan(300);
  for (const { status, text } of replies)
    expect({ status, text }).toEqual({ status: first!.status, text: first!.text });
  expect((await ran()) - before).toBe(1);
  const there = await held();
  const records = await collection("idempotency");
  await records.updateMany(
    { state: "done" },
    { $set: { state: "running", until: new Date(0).toISOString() }, $unset: { answer: 1 } },
  );
  const again = await post(path, as, body, { "idempotency-key": "once" });
  if (again.status >= 300) expect(again.status).toBe(409);
  else expect(idOf(again)).toEqual(idOf(first!));
  expect(await held()).toEqual(there);
});
