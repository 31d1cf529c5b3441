import { systemActor } from "../../core/access/access.ts";
import { stored, type TestWorld } from "../mesh.ts";
import type { Rows } from "../requests.ts";

let counter = 0;
/** An article whose first sentence is a claim worth checking. */
const article = async (at: TestWorld): Promise<number> => {
  const n = ++counter;
  const text = `The ministry of health said on Monday that ${1_000 + n} patients were vaccinated in Row Town ${n} last week.`;
  const now = new Date(at.clock.now()).toISOString();
  const item = {
    guid: `row-${n}`,
    url: `https://rows.example/${n}`,
    title: `Row ${n}`,
    text,
    html: `<p>${text}</p>`,
    summary: text,
    categories: [],
    publishedAt: now,
    dateInferred: false,
  };
  const source = { id: 900_001, name: "Rows", domain: "health" };
  await at.call("articles.store", { source, items: [item], fetchedAt: now }, systemActor("test"));
  return (await at.call("articles.newest", { offset: 0, limit: 1 }, systemActor("test")))[0].id;
};
const claim = async (at: TestWorld): Promise<number> =>
  (await at.http("POST", `/api/verification/verify-claims/${await article(at)}`)).body.data.claims[0].id;

export const requests: Rows["requests"] = {
  "POST /api/verification/verify-claims/:contentId": async (at) => ({
    path: `/api/verification/verify-claims/${await article(at)}`,
    effect: stored("claims"),
  }),
  "POST /api/verification/claims/extract-recent": async () => ({
    path: "/api/verification/claims/extract-recent?limit=5",
  }),
  "POST /api/verification/cross-reference/claim/:claimId": async (at) => ({
    path: `/api/verification/cross-reference/claim/${await claim(at)}?daysBack=7`,
  }),
  "POST /api/verification/cross-reference/content/:contentId": async (at) => ({
    path: `/api/verification/cross-reference/content/${await article(at)}`,
    effect: stored("verifications"),
  }),
  "POST /api/verification/cross-reference/batch": async () => ({
    path: "/api/verification/cross-reference/batch?limit=5",
  }),
  "POST /api/verification/bias/:contentId": async (at) => ({
    path: `/api/verification/bias/${await article(at)}`,
    effect: stored("verifications"),
  }),
  "POST /api/verification/bias/batch": async () => ({ path: "/api/verification/bias/batch?limit=5" }),
  "POST /api/verification/deep/:contentId": async (at) => ({
    path: `/api/verification/deep/${await article(at)}`,
    effect: stored("verifications"),
  }),
  "POST /api/verification/llm/:contentId": async (at) => ({
    path: `/api/verification/llm/${await article(at)}`,
    effect: stored("verifications"),
  }),
  "POST /api/verification/llm/batch": async () => ({ path: "/api/verification/llm/batch?limit=5" }),
  "POST /api/verification/content/:contentId": async (at) => ({
    path: `/api/verification/content/${await article(at)}`,
    effect: stored("verifications"),
  }),
  "POST /api/verification/batch": async () => ({ path: "/api/verification/batch?limit=5" }),
};
