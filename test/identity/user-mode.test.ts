import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { text } from "node:stream/consumers";
import type { AddressInfo } from "node:net";
import { systemActor } from "../../core/access/access.ts";
import { walletStandIn, type StandIn } from "../../adapters/wallet/stand-in.ts";
import { eventually, PASSWORD, world, type TestWorld } from "../mesh.ts";
import { misfits } from "../webhooks-described.ts";

interface Receiver {
  url: string;
  heard: string[];
  sent: Map<string, { headers: IncomingHttpHeaders; body: string }>;
  server: Server;
}

/** A receiver that writes down whatever reaches it. */
async function receiver(): Promise<Receiver> {
  const heard: string[] = [];
  const sent: Receiver["sent"] = new Map();
  const server = createServer(async (req, res) => {
    heard.push(`${req.method} ${req.url}`);
    sent.set(req.url!, { headers: req.headers, body: await text(req) });
    res.end("ok");
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard, sent, server };
}

let outside: Awaited<ReturnType<typeof receiver>>, node: StandIn, at: TestWorld;
beforeAll(async () => {
  [outside, node] = await Promise.all([receiver(), walletStandIn()]);
  at = await world({
    WEBHOOK_URL: `${outside.url}/webhook`,
    WEBHOOK_SECRET: "a secret of the receiver",
    SLACK_WEBHOOK_URL: `${outside.url}/slack`,
    DELIVERY_WEBHOOKS: `ops=${outside.url}/ops`,
    SHIELDED_RPC_URL: node.url,
    SHIELDED_RPC_USER: node.user,
    SHIELDED_RPC_PASS: node.pass,
    SHIELDED_T_ADDRESS: node.tAddress,
    SHIELDED_Z_ADDRESS: node.zAddress,
  });
});
afterAll(async () => {
  await at.stop();
  await node.close();
  outside.server.close();
});

let count = 0;
async function somebody(role = "system_admin"): Promise<string> {
  const email = `mode${++count}@example.org`;
  await at.http("POST", "/api/auth/users", { body: { email, role, password: PASSWORD } });
  return (await at.http("POST", "/api/auth/login", { as: null, body: { email, password: PASSWORD } })).body.data.token;
}
const mode = async (as: string): Promise<any> => (await at.http("GET", "/api/user-mode", { as })).body.data;
const train = (as: string, to = "training") => at.http("PUT", "/api/user-mode", { as, body: { mode: to } });
async function briefing(as: string): Promise<number> {
  const { id } = (await at.http("POST", "/api/briefings/generate", { as, body: {} })).body.data;
  await eventually(
    () => at.http("GET", `/api/briefings/${id}`, { as }),
    ({ body }) => body.data.status === "completed",
  );
  return id;
}

it("is operational until the person chooses, and holds from the next request on, for every credential of theirs", async () => {
  const as = await somebody();
  const { key } = (await at.http("POST", "/api/keys", { as, body: { name: "mode", scopes: ["read", "write"] } })).body
    .data;
  const withKey = () => at.http("GET", "/api/user-mode", { as: null, headers: { "x-api-key": key } });
  expect(await mode(as)).toEqual({ mode: "operational" });
  expect((await withKey()).body.data).toEqual({ mode: "operational" });
  expect((await train(as)).body.data).toEqual({ mode: "training", since: expect.any(String) });
  expect(await mode(as)).toMatchObject({ mode: "training" });
  expect((await withKey()).body.data).toMatchObject({ mode: "training" });
  const { userId } = (await at.http("GET", "/api/auth/me", { as })).body.data;
  expect(await at.call("user-mode.of", { userId }, systemActor("test"))).toBe("training");
  expect(await at.call("auth.actor", { userId }, systemActor("test"))).toMatchObject({ mode: "training" });
  await train(as, "operational");
  expect(await at.call("user-mode.of", { userId }, systemActor("test"))).toBeNull();
  expect(await at.call("auth.actor", { userId }, systemActor("test"))).not.toHaveProperty("mode");
});

it("is switched by the person, not by a key, and to a mode that there is", async () => {
  const as = await somebody();
  const { key } = (await at.http("POST", "/api/keys", { as, body: { name: "switch", scopes: ["write"] } })).body.data;
  expect(
    (await at.http("PUT", "/api/user-mode", { as: null, headers: { "x-api-key": key }, body: { mode: "training" } }))
      .status,
  ).toBe(403);
  expect((await at.http("PUT", "/api/user-mode", { as, body: { mode: "exercise" } })).body.error.details).toEqual([
    expect.objectContaining({ path: "mode" }),
  ]);
  expect(await mode(as)).toEqual({ mode: "operational" });
});

it("keeps what is told outside inside: webhook and channels stay silent in training, and say so", async () => {
  const [trainee, chief] = [await somebody(), await somebody()];
  await train(trainee);
  const practised = await briefing(trainee);
  const sent = await at.http("POST", `/api/briefings/${practised}/deliver`, {
    as: trainee,
    body: { channels: ["slack", "webhook:ops", "email:reader@example.org"] },
  });
  expect(sent.body.data).toMatchObject({ delivered: true, simulated: true });
  // Somebody in operations cannot send it either: it is a training record.
  expect(
    (await at.http("POST", `/api/briefings/${practised}/deliver`, { as: chief, body: { channels: ["slack"] } })).body
      .data,
  ).toMatchObject({ simulated: true });
  const deliveries = await eventually(
    () => at.http("GET", "/api/webhooks/deliveries", { as: chief }),
    ({ body }) => body.data.length === 1,
  );
  expect(deliveries.body.data[0]).toMatchObject({ subject: String(practised), status: "simulated", attempts: 0 });
  expect(
    (await at.http("POST", `/api/webhooks/deliveries/${deliveries.body.data[0].id}/replay`, { as: chief })).status,
  ).toBe(409);
  expect(outside.heard).toEqual([]);
  expect(at.letters()).toEqual([]);

  const none = await at.http("GET", "/api/briefings/latest", { as: chief });
  expect([none.status, none.body.error.message]).toEqual([404, expect.stringMatching(/^There is no briefing yet/)]);
  // The same acts in operations reach them: the receivers are not deaf.
  const real = await briefing(chief);
  expect(
    (
      await at.http("POST", `/api/briefings/${real}/deliver`, {
        as: chief,
        body: { channels: ["slack", "webhook:ops"] },
      })
    ).body.data,
  ).not.toHaveProperty("simulated");
  expect(await misfits(at, "briefing.delivered", outside.sent.get("/ops")!)).toEqual([]);
  await eventually(
    () => outside.heard,
    (heard) => heard.includes("POST /slack") && heard.includes("POST /webhook"),
  );
  const lists = await Promise.all(
    [trainee, chief].map(async (as) =>
      (await at.http("GET", "/api/briefings", { as })).body.data.map(({ id }: { id: number }) => id),
    ),
  );
  expect(lists).toEqual([[practised], [real]]);
  expect((await at.http("GET", "/api/v1/briefing/latest", { as: trainee })).status).toBe(200);
});

it("hands nobody an account over by mail in training; one with a password needs none", async () => {
  const trainee = await somebody();
  await train(trainee);
  const made = (body: object) =>
    at.http("POST", "/api/auth/users", { as: trainee, body: { email: "newcomer@example.org", ...body } });
  const refused = await made({});
  expect([refused.status, refused.body.error.code]).toEqual([409, "OPERATIONAL_ONLY"]);
  const account = { email: "newcomer@example.org" };
  expect((await at.http("POST", "/api/accounts/create", { as: trainee, body: account })).body.error.code).toBe(
    "OPERATIONAL_ONLY",
  );
  expect((await made({ password: PASSWORD })).status).toBe(201);
  at.clock.advance(1_000);
  at.poke();
  expect(at.letters().filter(({ to }) => to.includes("newcomer@example.org"))).toEqual([]);
});

it("orders no money in training: the wallet is not even asked", async () => {
  const trainee = await somebody();
  await train(trainee);
  const asked = node.calls.length;
  expect((await at.http("POST", "/api/escrow/shield", { as: trainee })).body.data).toMatchObject({
    simulated: true,
    operationId: null,
  });
  const made = await at.http("POST", "/api/escrow/bounties", {
    as: trainee,
    body: { title: "Who owns the mine?", amount: "50000000", refundAddress: node.chain.dice.saplingAddress() },
  });
  expect(made).toMatchObject({ status: 409, body: { error: { code: "OPERATIONAL_ONLY" } } });
  const orders = node.calls.slice(asked).filter((method: string) => /^z_(sendmany|shieldcoinbase)$/.test(method));
  expect(orders).toEqual([]);
  expect(node.payments()).toEqual([]);
});
