import type { TestWorld } from "../mesh.ts";
import type { Rows } from "../requests.ts";

const HOLDER = "did:key:z6MkrJVnaZkeFzdQyMZu1cgjg7k1pZZ6pvBQ7XJPt4swbTQ2";
const claims: Record<string, object> = {
  "security-clearance": { subject: HOLDER, level: "secret" },
  "entity-attribute": { subject: "urn:mmsi:257123456", attribute: "length overall", value: 140.5, unit: "m" },
  "role-assignment": { subject: HOLDER, role: "liaison officer" },
  "coalition-membership": { subject: HOLDER, coalition: "Northern Shield" },
  "derivative-data": {
    subject: "urn:uuid:1d1c2b0e-6c7e-4d6a-9f35-4b3f0a3f8a51",
    contentHash: "ab".repeat(32),
    derivedFrom: [{ source: "https://mesh.example/articles/1" }],
    method: "summary",
  },
  "user-profile": { subject: HOLDER, displayName: "A. Holder" },
};
const count = async (at: TestWorld): Promise<number> => (await at.http("GET", "/api/credentials")).body.meta.total;
const issued = async (at: TestWorld): Promise<any> =>
  (await at.http("POST", "/api/credentials/issue/user-profile", { body: claims["user-profile"] })).body.data;

export const requests: Rows["requests"] = {
  ...Object.fromEntries(
    Object.entries(claims).map(([kind, body]) => [
      `POST /api/credentials/issue/${kind}`,
      async () => ({ path: `/api/credentials/issue/${kind}`, body, effect: count }),
    ]),
  ),
  "POST /api/credentials/hash": async (at) => ({
    path: "/api/credentials/hash",
    body: { credential: (await issued(at)).credential },
  }),
  "POST /api/credentials/verify-hash": async (at) => {
    const { credential, hash } = await issued(at);
    return { path: "/api/credentials/verify-hash", body: { credential, hash } };
  },
  "POST /api/credentials/verify": async (at) => ({
    path: "/api/credentials/verify",
    body: { credential: (await issued(at)).credential },
  }),
  "POST /api/credentials/:id/suspend": async (at) => ({
    path: `/api/credentials/${(await issued(at)).id}/suspend`,
    body: { reason: "under review" },
  }),
  "POST /api/credentials/:id/reinstate": async (at) => {
    const { id } = await issued(at);
    await at.http("POST", `/api/credentials/${id}/suspend`);
    return { path: `/api/credentials/${id}/reinstate` };
  },
  "POST /api/credentials/:id/revoke": async (at) => ({ path: `/api/credentials/${(await issued(at)).id}/revoke` }),
};
