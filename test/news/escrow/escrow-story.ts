import { walletStandIn, type StandIn } from "../../../adapters/wallet/stand-in.ts";
import { eventually, PASSWORD, world, type Reply, type TestWorld } from "../../mesh.ts";

export const DAY = 86_400_000;
/** Less than a payout's longest pause, so that clock and chain go on together. */
export const PAUSE = 30_000;
export let node: StandIn;
export let at: TestWorld;
/** Tokens of an administrator, who is not the installation's first account, and of somebody who answers bounties. */
export let admin: string, source: string;
/** Opens the node and its wallet for the stories of one file. */
export function onOneNode(): void {
  beforeAll(async () => {
    node = await walletStandIn();
    at = await world(settings());
    admin = await account("chief@example.org", "admin");
    source = await account("source@example.org", "analyst");
  });
  afterAll(async () => {
    await at.stop();
    await node.close();
  });
}

export const settings = () => ({
  SHIELDED_RPC_URL: node.url,
  SHIELDED_RPC_USER: node.user,
  SHIELDED_RPC_PASS: node.pass,
  SHIELDED_T_ADDRESS: node.tAddress,
  SHIELDED_Z_ADDRESS: node.zAddress,
});
export const address = (): string => node.chain.dice.saplingAddress();
export const login = async (email: string): Promise<string> =>
  (await at.http("POST", "/api/auth/login", { as: null, body: { email, password: PASSWORD } })).body.data.token;
export async function account(email: string, role: string): Promise<string> {
  await at.http("POST", "/api/auth/users", { body: { email, role, password: PASSWORD } });
  return login(email);
}
export const get = async (path: string, as = admin): Promise<any> =>
  (await at.http("GET", `/api/escrow${path}`, { as })).body.data;
export const post = (path: string, as: string, body?: object, headers?: Record<string, string>): Promise<Reply> =>
  at.http("POST", `/api/escrow${path}`, { as, body, headers });
/** Payouts want a sign-in that is at most five minutes old, and these stories take days. */
export const release = async (id: string): Promise<Reply> =>
  post(`/bounty/${id}/release`, await login("chief@example.org"));
export const paidTo = (payee: string): string[] =>
  node
    .payments()
    .filter((payment) => payment.address === payee)
    .map(({ amount }) => amount);

/** Lets wallet, chain and clock go on until what a path answers fits; the service's own schedules carry the work. */
export const until = (path: string, fits: (record: any) => boolean): Promise<any> =>
  eventually(() => {
    node.settle();
    node.mine(1);
    at.clock.advance(PAUSE);
    return get(path);
  }, fits);

export async function promise(amount = "50000000", traits: object = {}): Promise<any> {
  const made = await post("/bounties", "analyst", {
    title: "Who owns the mine?",
    amount,
    refundAddress: address(),
    ...traits,
  });
  expect(made.status).toBe(201);
  return made.body.data;
}

/** Pays the exact amount in and sees it into the pool. */
export async function fund(path: string, due: string): Promise<any> {
  node.deposit(due);
  node.mine(3);
  const { data } = (await post("/shield", admin)).body;
  expect(data).toMatchObject({ success: true, kind: "shield" });
  // The wallet's operation, unless the round in the background is at it at this moment.
  if (data.operationId !== null) expect(data.operationId).toMatch(/^opid-/);
  return until(path, ({ stage }) => stage === "funded");
}

export async function openBounty(amount?: string): Promise<any> {
  const { id, due } = await promise(amount);
  return fund(`/bounties/${id}`, due);
}
