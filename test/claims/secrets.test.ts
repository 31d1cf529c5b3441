import { rm, mkdtemp } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { modelStandIn } from "../../adapters/llm/stand-in.ts";
import { walletStandIn } from "../../adapters/wallet/stand-in.ts";
import { files, forms } from "../canaries.ts";
import { eventually } from "../mesh.ts";
import { ADMIN, startNode } from "../process.ts";

// Claim 19, a beginning: a node of its own process lives through a day's work, failures included, with a canary for
// each secret. Then neither its data nor its log nor any answer but the one that hands a secret out holds one of them.

const CANARIES = {
  "webhook secret": "canary-webhook-5f2b91c07d",
  "webhook secret before": "canary-before-81d3aa90ce",
  "wallet password": "canary-wallet-19ab77e3f0",
  "model key": "sk-canary-llm-77c0de55aa41",
  "bot token": "8812:canary-telegram-0cd4419ab2",
  "admin password": ADMIN.ADMIN_PASSWORD,
  "a person's password": "canary person correct horse 77",
};

it("no secret stands in data files, logs or answers", async () => {
  const dir = await mkdtemp(join(tmpdir(), "signalmesh-secrets-"));
  const chain = await walletStandIn({ pass: CANARIES["wallet password"] });
  const llm = await modelStandIn(() => ({
    kind: "fail",
    status: 401,
    message: `the key ${CANARIES["model key"]} is not ours`,
  }));
  const receiver = createServer((_req, res) => res.writeHead(500).end("no")).listen(0, "127.0.0.1");
  await new Promise((resolve) => receiver.once("listening", resolve));
  const inbox = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const node = await startNode({
    DATA_DIR: dir,
    LOG_LEVEL: "debug",
    WEBHOOK_URL: inbox,
    WEBHOOK_SECRET: CANARIES["webhook secret"],
    WEBHOOK_SECRET_PREVIOUS: CANARIES["webhook secret before"],
    TELEGRAM_BOT_TOKEN: CANARIES["bot token"],
    TELEGRAM_CHAT_ID: "1",
    TELEGRAM_BASE_URL: inbox,
    LLM_BASE_URL: llm.baseUrl,
    LLM_API_KEY: CANARIES["model key"],
    SHIELDED_RPC_URL: chain.url,
    SHIELDED_RPC_USER: chain.user,
    SHIELDED_RPC_PASS: chain.pass,
    SHIELDED_T_ADDRESS: chain.tAddress,
    SHIELDED_Z_ADDRESS: chain.zAddress,
  });
  const said: string[] = [];
  const handedOut: string[] = [];
  const ask = async (
    method: string,
    path: string,
    {
      token,
      body,
      headers = {},
      secret = false,
    }: { token?: string; body?: unknown; headers?: Record<string, string>; secret?: boolean } = {},
  ): Promise<any> => {
    const answer = await fetch(node.url + path, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await answer.text();
    if (!secret) said.push(text);
    return text ? JSON.parse(text) : null;
  };
  try {
    const { token } = (
      await ask("POST", "/api/auth/login", {
        body: { email: ADMIN.ADMIN_EMAIL, password: ADMIN.ADMIN_PASSWORD },
        secret: true,
      })
    ).data;
    handedOut.push(token);
    await ask("POST", "/api/auth/users", {
      token,
      body: { email: "person@example.org", role: "analyst", password: CANARIES["a person's password"] },
    });
    await ask("POST", "/api/auth/login", {
      body: { email: "person@example.org", password: `${CANARIES["a person's password"]}x` },
    });
    const person = (
      await ask("POST", "/api/auth/login", {
        body: { email: "person@example.org", password: CANARIES["a person's password"] },
        secret: true,
      })
    ).data.token;
    const made = (
      await ask("POST", "/api/keys", {
        token: person,
        body: { name: "one", scopes: ["write"] },
        headers: { "idempotency-key": "make-one-key" },
        secret: true,
      })
    ).data;
    const rerolled = (
      await ask("POST", `/api/keys/${made.id}/reroll`, { token: person, body: { graceMinutes: 5 }, secret: true })
    ).data;
    handedOut.push(person, made.key, rerolled.key);
    for (const key of [made.key, rerolled.key]) await ask("GET", "/api/keys", { headers: { "x-api-key": key } });
    await ask("GET", `/api/articles/${rerolled.key}`, { token });
    const { id } = (
      await ask("POST", "/api/sources", { token, body: { name: "Feed", url: `${inbox}/feed.xml`, domain: "energy" } })
    ).data;
    await ask("POST", `/api/sources/${id}/refresh`, { token });
    const briefing = (await ask("POST", "/api/briefings/generate", { token, body: {} })).data.id;
    await eventually(
      () => ask("GET", `/api/briefings/${briefing}`, { token }),
      ({ data }) => data.status === "completed",
    );
    await ask("POST", `/api/briefings/${briefing}/deliver`, { token, body: { channels: ["telegram"] } });
    await eventually(
      () => ask("GET", "/api/webhooks/deliveries", { token }),
      ({ data }) => data[0]?.attempts > 0,
    );
    for (const path of [
      "/api/escrow/status",
      "/api/verification/model",
      "/api/webhooks",
      "/api/keys",
      "/api/admin/api-keys",
      "/api/audit",
      "/api/jobs",
      "/api/openapi.json",
      "/health/ready",
      "/api/v1/manifest",
    ])
      await ask("GET", path, { token });
    await ask("POST", "/api/escrow/shield", { token, body: {} });
    await ask("GET", "/api/escrow/status", { token });
  } finally {
    await node.stop();
    await Promise.all([chain.close(), llm.close()]);
    receiver.close();
  }
  const found: string[] = [];
  const secrets = [...Object.entries(CANARIES), ...handedOut.map((secret, n) => [`handed out ${n}`, secret] as const)];
  for await (const { path, bytes } of files(dir))
    for (const [name, secret] of secrets)
      for (const form of forms(secret)) if (bytes.includes(form)) found.push(`${name} in ${path.slice(dir.length)}`);
  for (const [name, secret] of secrets)
    for (const form of forms(secret)) {
      if (node.log.includes(form)) found.push(`${name} in the log`);
      if (said.some((text) => text.includes(form))) found.push(`${name} in an answer`);
    }
  expect(found).toEqual([]);
  // The search finds what is there: the log is not empty, and an address that is no secret lies in the data.
  expect(node.log.length).toBeGreaterThan(100);
  let seen = false;
  for await (const { bytes } of files(dir)) seen ||= bytes.includes("person@example.org");
  expect(seen).toBe(true);
  await rm(dir, { recursive: true, force: true });
}, 120_000);
