import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { walletStandIn, type StandIn } from "../../adapters/wallet/stand-in.ts";
import { eventually } from "../mesh.ts";
import { FeedServer, rss } from "../news/feed-server.ts";
import { signIn, startNode, type NodeProcess } from "../process.ts";

// Claim 12: what all objects inherit cannot be changed, and the platform does its work without that.

const FLAGS = ["--import", "./scripts/freeze.ts", "--disable-proto=delete"];

it("frozen prototypes refuse to be changed, and let objects have names of their own", async () => {
  const script = `
    "use strict";
    const assert = require("node:assert");
    for (const { prototype } of [Object, Array, Function, Error, Map]) {
      assert(Object.isFrozen(prototype));
      assert.throws(() => { prototype.polluted = true; }, TypeError);
      assert.throws(() => { prototype.toString = () => "polluted"; }, TypeError);
      assert.throws(() => Object.defineProperty(prototype, "polluted", { value: true }), TypeError);
    }
    assert.equal({}.__proto__, undefined);
    JSON.parse('{"__proto__":{"polluted":true}}');
    assert.equal({}.polluted, undefined);
    const own = {}; own.toString = () => "own"; own.constructor = 7;
    assert.deepEqual([String(own), own.constructor, Object.keys(own)], ["own", 7, ["toString", "constructor"]]);
    const error = new Error("first"); error.message = "second"; error.name = "Own";
    assert.equal(String(error), "Own: second");
    assert.equal(String({}), "[object Object]");`;
  await promisify(execFile)(process.execPath, [...FLAGS, "--eval", script]);
});

describe("a node with frozen prototypes", () => {
  let dataDir: string;
  let wallet: StandIn;
  let publisher: FeedServer;
  let node: NodeProcess;
  let token: string;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "signalmesh-frozen-"));
    wallet = await walletStandIn({ auto: true });
    publisher = await FeedServer.start();
    node = await startNode(
      {
        DATA_DIR: dataDir,
        SHIELDED_RPC_URL: wallet.url,
        SHIELDED_RPC_USER: wallet.user,
        SHIELDED_RPC_PASS: wallet.pass,
        SHIELDED_T_ADDRESS: wallet.tAddress,
        SHIELDED_Z_ADDRESS: wallet.zAddress,
      },
      FLAGS,
    );
    token = await signIn(node.url);
  }, 60_000);
  afterAll(async () => {
    const code = await node.stop();
    await Promise.all([publisher.stop(), wallet.close()]);
    await rm(dataDir, { recursive: true, force: true });
    expect(code).toBe(0);
  });

  const ask = async (method: string, path: string, body?: unknown): Promise<{ status: number; body: any }> => {
    const raw = typeof body === "string" ? body : body === undefined ? undefined : JSON.stringify(body);
    const answer = await fetch(`${node.url}/api${path}`, {
      method,
      body: raw,
      headers: { authorization: `Bearer ${token}`, ...(raw !== undefined && { "content-type": "application/json" }) },
    });
    const text = await answer.text();
    return {
      status: answer.status,
      body: answer.headers.get("content-type")?.includes("json") ? JSON.parse(text) : text,
    };
  };

  it("reads a feed, finds its articles, judges and briefs them", async () => {
    const sentence =
      "The harbour authority said on Monday that two container ships collided near the northern pier and that nobody was hurt.";
    const url = publisher.on("/feed", {
      body: rss(
        Array.from({ length: 3 }, (_, n) => ({
          guid: `f${n}`,
          title: `Ships collide near pier ${n}`,
          link: `https://example.org/ships/${n}`,
          text: `${sentence} Report ${n}.`,
          date: new Date().toUTCString(),
        })),
      ),
    });
    const source = await ask("POST", "/sources", { name: "Harbour News", url, domain: "security" });
    expect(source.status).toBe(201);
    const articles = await eventually(
      () => ask("GET", "/articles"),
      ({ body }) => body.meta.total === 3,
    );
    const { id } = articles.body.data[0];
    const found = await eventually(
      () => ask("GET", "/search?q=harbour%20AND%20ships"),
      ({ body }) => body.data?.length === 3,
    );
    expect(found.body.data[0].snippet).toContain("<mark>");
    expect((await ask("GET", `/verification/claims/${id}`)).body).toMatchObject({ success: true });
    expect((await ask("POST", `/verification/bias/${id}`)).body).toMatchObject({ success: true });
    const made = await ask("POST", "/briefings/generate", {});
    expect(made.status).toBeLessThan(300);
    const briefing = await eventually(
      () => ask("GET", "/briefings/latest"),
      ({ body }) => body.data?.status === "completed",
    );
    expect(JSON.stringify(briefing.body)).toContain("Harbour News");
    expect((await ask("GET", "/openapi.json")).body.openapi).toBe("3.1.0");
  }, 60_000);

  it("holds money for a bounty", async () => {
    const made = await ask("POST", "/escrow/bounties", {
      title: "Who owns the mine?",
      amount: "50000000",
      refundAddress: wallet.chain.dice.saplingAddress(),
    });
    expect(made.status).toBe(201);
    wallet.deposit(made.body.data.due);
    wallet.mine(3);
    const shielded = await eventually(
      () => ask("POST", "/escrow/shield"),
      ({ body }) => Boolean(body.data),
    );
    expect(shielded.body.data).toMatchObject({ success: true, kind: "shield" });
    expect((await ask("POST", "/escrow/reconcile")).body.data).toMatchObject({ alert: null });
    expect((await ask("GET", "/escrow/status")).status).toBe(200);
  }, 60_000);

  it("is not impressed by names that everything inherits", async () => {
    for (const body of [
      '{"__proto__":{"polluted":true}}',
      '{"constructor":{"prototype":{"polluted":true}}}',
      '{"toString":1,"name":"x"}',
      '{"hasOwnProperty":null}',
      '{"valueOf":{}}',
    ]) {
      expect([body, (await ask("POST", "/sources", body)).status]).toEqual([body, 400]);
    }
    expect((await ask("GET", "/articles?toString=1")).status).toBe(400);
    expect((await ask("GET", "/articles/constructor")).status).toBe(400);
    expect((await ask("GET", "/health-of-proto/__proto__")).status).toBe(404);
    expect((await fetch(`${node.url}/health/ready`)).status).toBe(200);
    expect(node.log).not.toMatch(/TypeError/);
  });
});
