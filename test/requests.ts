import { globSync } from "node:fs";
import { join } from "node:path";
import { systemActor } from "../core/access/access.ts";
import { stored, type TestWorld } from "./mesh.ts";
import type { Person } from "./workspace/people.ts";

/**
 * For every POST a request that succeeds: tests of what holds for all of them (idempotency, mass assignment) take theirs from
 * here, and a new POST without a row fails. `effect` counts what the request brings into being.
 */
export interface ValidRequest {
  path: string;
  body?: unknown;
  raw?: string;
  type?: string;
  as?: string | null;
  /** How many of what it makes there are now. */
  effect?(at: TestWorld): Promise<number>;
}

let counter = 0;
const unique = (): number => ++counter;
const total = (path: string) => async (at: TestWorld): Promise<number> => (await at.http("GET", path)).body.meta.total;

/** A feed address that nothing answers: sources are made, not fetched. */
const feed = (): string => `http://127.0.0.1:9/feed-${unique()}.xml`;
const source = async (at: TestWorld): Promise<number> => (await at.http("POST", "/api/sources", { body: { name: "Row", url: feed(), domain: "science" } })).body.data.id;
const list = async (at: TestWorld): Promise<number> => (await at.http("POST", "/api/sources/lists", { body: { name: `List ${unique()}`, sourceIds: [] } })).body.data.id;
const briefing = async (at: TestWorld): Promise<number> => {
  const { id } = (await at.http("POST", "/api/briefings/generate", { body: {} })).body.data;
  for (let tries = 0; tries < 400; tries++) {
    if ((await at.http("GET", `/api/briefings/${id}`)).body.data.status !== "generating") return id;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error("the briefing is not ready");
};

const OPML = () => `<?xml version="1.0"?><opml version="2.0"><head><title>t</title></head><body><outline text="Science"><outline type="rss" text="One" xmlUrl="${feed()}" category="science"/></outline></body></opml>`;

/** An article whose first sentence is a claim worth checking. */
const article = async (at: TestWorld): Promise<number> => {
  const n = unique();
  const text = `The ministry of health said on Monday that ${1_000 + n} patients were vaccinated in Row Town ${n} last week.`;
  const item = { guid: `row-${n}`, url: `https://rows.example/${n}`, title: `Row ${n}`, text, html: `<p>${text}</p>`, summary: text, categories: [], publishedAt: new Date(at.clock.now()).toISOString(), dateInferred: false };
  await at.call("articles.store", { source: { id: 900_001, name: "Rows", domain: "health" }, items: [item], fetchedAt: new Date(at.clock.now()).toISOString() }, systemActor("test"));
  return (await at.call("articles.newest", { offset: 0, limit: 1 }, systemActor("test")))[0].id;
};
const claim = async (at: TestWorld): Promise<number> => (await at.http("POST", `/api/verification/verify-claims/${await article(at)}`)).body.data.claims[0].id;

/** Where records are planted: a problem set and its parent, compartments, and whose hand it is. */
export interface Place { problemSetId: string; parentId: string; compartments: string[]; by: Person; text: string }
/** Path templates with their last parameter's value: `{"/api/missions/:id": "0192…"}`; a longer path begins with it. */
export type Planted = Record<string, string>;

/**
 * What a file `test/requests/<area>/<domain>.ts` exports: rows for the POSTs of that domain, reasons for those without, and a
 * hand that plants one record of each noun, with `text` in every field that takes text, for the tests of access and of barriers.
 */
export interface Rows {
  requests: Record<string, (at: TestWorld) => Promise<ValidRequest>>;
  notRepeated?: Record<string, string>;
  plant?(at: TestWorld, place: Place): Promise<Planted>;
}

const domains: Rows[] = await Promise.all(globSync("requests/*/*.ts", { cwd: import.meta.dirname }).sort().map((file) => import(join(import.meta.dirname, file))));

/** Plants one record of each noun of each domain. Answers their ids by path template. */
export async function plant(at: TestWorld, place: Place): Promise<Planted> {
  const planted: Planted = {};
  for (const rows of domains) Object.assign(planted, await rows.plant?.(at, place));
  return planted;
}

export const requests: Rows["requests"] = {
  ...Object.assign({}, ...domains.map((rows) => rows.requests)) as Rows["requests"],
  "POST /api/auth/login": async () => ({ path: "/api/auth/login", as: null, body: { email: "admin@example.org", password: "correct horse battery staple 42" } }),
  "POST /api/auth/logout": async (at) => {
    const email = `leaver${unique()}@example.org`;
    await at.http("POST", "/api/auth/users", { body: { email, password: "correct horse battery staple 42" } });
    const { token } = (await at.http("POST", "/api/auth/login", { as: null, body: { email, password: "correct horse battery staple 42" } })).body.data;
    return { path: "/api/auth/logout", as: token };
  },
  "POST /api/auth/users": async () => ({ path: "/api/auth/users", body: { email: `someone${unique()}@example.org`, password: "correct horse battery staple 42" }, effect: total("/api/auth/users") }),
  "POST /api/keys": async () => ({ path: "/api/keys", body: { name: "once" }, effect: async (at) => (await at.http("GET", "/api/keys")).body.data.length }),
  "POST /api/keys/:id/reroll": async (at) => ({ path: `/api/keys/${(await at.http("POST", "/api/keys", { body: { name: "old" } })).body.data.id}/reroll`, body: { graceMinutes: 5 } }),
  "POST /api/sources": async () => ({ path: "/api/sources", body: { name: "Once", url: feed(), domain: "energy" }, effect: total("/api/sources") }),
  "POST /api/sources/bulk": async () => ({ path: "/api/sources/bulk", body: { sources: [{ name: "One", url: feed(), domain: "energy" }, { name: "Two", url: feed(), domain: "health" }] }, effect: total("/api/sources") }),
  "POST /api/sources/opml": async () => ({ path: "/api/sources/opml", raw: OPML(), type: "text/x-opml", effect: total("/api/sources") }),
  "POST /api/sources/:id/refresh": async (at) => ({ path: `/api/sources/${await source(at)}/refresh` }),
  "POST /api/sources/lists": async () => ({ path: "/api/sources/lists", body: { name: `Once ${unique()}`, sourceIds: [] }, effect: total("/api/sources/lists") }),
  "POST /api/sources/lists/:id/activate": async (at) => ({ path: `/api/sources/lists/${await list(at)}/activate` }),
  "POST /api/briefings/generate": async () => ({ path: "/api/briefings/generate", body: {}, effect: stored("briefings") }),
  "POST /api/search/reindex": async () => ({ path: "/api/search/reindex" }),
  "POST /api/briefings/:id/deliver": async (at) => ({ path: `/api/briefings/${await briefing(at)}/deliver`, body: { channels: ["email:reader@example.org"] } }),
  "POST /api/verification/verify-claims/:contentId": async (at) => ({ path: `/api/verification/verify-claims/${await article(at)}`, effect: stored("claims") }),
  "POST /api/verification/claims/extract-recent": async () => ({ path: "/api/verification/claims/extract-recent?limit=5" }),
  "POST /api/verification/cross-reference/claim/:claimId": async (at) => ({ path: `/api/verification/cross-reference/claim/${await claim(at)}?daysBack=7` }),
  "POST /api/verification/cross-reference/content/:contentId": async (at) => ({ path: `/api/verification/cross-reference/content/${await article(at)}`, effect: stored("verifications") }),
  "POST /api/verification/cross-reference/batch": async () => ({ path: "/api/verification/cross-reference/batch?limit=5" }),
  "POST /api/verification/bias/:contentId": async (at) => ({ path: `/api/verification/bias/${await article(at)}`, effect: stored("verifications") }),
  "POST /api/verification/bias/batch": async () => ({ path: "/api/verification/bias/batch?limit=5" }),
  "POST /api/verification/deep/:contentId": async (at) => ({ path: `/api/verification/deep/${await article(at)}`, effect: stored("verifications") }),
  "POST /api/verification/llm/:contentId": async (at) => ({ path: `/api/verification/llm/${await article(at)}`, effect: stored("verifications") }),
  "POST /api/verification/llm/batch": async () => ({ path: "/api/verification/llm/batch?limit=5" }),
  "POST /api/verification/content/:contentId": async (at) => ({ path: `/api/verification/content/${await article(at)}`, effect: stored("verifications") }),
  "POST /api/verification/batch": async () => ({ path: "/api/verification/batch?limit=5" }),
};

/** The escrow answers NOT_CONFIGURED without a wallet: what holds for each POST is shown with one, in test/news/escrow-repetition. */
const ESCROW = [
  "shield", "reconcile", "ledger/adjustments", "payouts/:id/resolve", "deposits/:id/attribute", "bounty/:id/release",
  ...["", "/:id/fund", "/:id/submit", "/:id/accept", "/:id/reject", "/:id/refund", "/:id/cancel"].map((tail) => `bounties${tail}`),
  ...["", "/:id/cancel", "/:id/release", "/:id/refund"].map((tail) => `subscriptions${tail}`),
];

/** POSTs that cannot be made to succeed twice here, and why. */
export const NOT_REPEATED: Record<string, string> = {
  ...Object.assign({}, ...domains.map((rows) => rows.notRepeated)) as Record<string, string>,
  "POST /api/auth/setup": "works once in the life of an installation",
  "POST /api/webhooks/enable": "needs a configured receiver; its story is told in test/news/webhooks",
  "POST /api/webhooks/deliveries/:id/replay": "needs a dead letter; its story is told in test/news/webhooks",
  "POST /api/jobs/:id/cancel": "needs a job that is still running; its story is told in test/platform",
  ...Object.fromEntries(ESCROW.map((path) => [`POST /api/escrow/${path}`, "needs a wallet: test/news/escrow-repetition"])),
};
