import type { PublishedEndpoint } from "../../core/contract/catalogue.ts";
import { fill } from "../paths.ts";
import { plant, type Planted } from "../requests.ts";
import { routes } from "../routes.ts";
import { world, type TestWorld } from "../mesh.ts";
import { admit, openSet, persons, signIn } from "../workspace/people.ts";
import { systemActor } from "../../core/access/access.ts";

// What the API description shows as an example can be sent: word for word it is taken, or refused for a record that it
// names and that is not there, never for its form, and never by a failure.

let at: TestWorld;
let planted: Planted;
let token: string;
let set: string;

beforeAll(async () => {
  at = await world();
  const [ann, red] = await persons(at, "ann", "red");
  const parent = await openSet(at, ann, { name: "Corps" });
  set = await openSet(at, ann, { name: "Division", parentId: parent });
  token = await signIn(at, "admin@example.org");
  const { userId } = (await at.http("GET", "/api/auth/me", { as: token })).body.data;
  const { did } = await at.call("identity.primaryDid", { userId }, systemActor("test"));
  for (const id of [set, parent])
    for (const who of [red, { ...ann, did }]) await admit(at, id, who, who === red ? "deputy" : "commander");
  planted = await plant(at, { problemSetId: set, parentId: parent, compartments: [], by: red, text: "planted" });
}, 120_000);
afterAll(() => at.stop());

/** What ends the caller's own part in things, so that what comes after it would tell nothing. */
const PARTING = /^\/api\/(?:auth\/|user-mode|problem-sets\/:id\/leave)/;
/** Names a record, or a person, that is not there; no example can know one that is. */
const NAMES_NOBODY = /no such|is not there|not your account|you have delegated|must be proved/i;

/** Examples whose wrong texts are not told field by field: of a credential, every fault of which is told at once. */
const WHOLE = /^\/api\/(?:credentials|identity)\//;

const withSet = (example: any): any =>
  Array.isArray(example) || !example?.problemSetId ? example : { ...example, problemSetId: set };

async function misfits({ method, path, contract }: PublishedEndpoint): Promise<string[]> {
  const names: Planted = {
    ":problemSetId": set,
    "/api/problem-sets/:id": set,
    "/api/inheritance/:id": set,
    ...planted,
  };
  const { status, body, text } = await at.http(method, fill(path, names), {
    as: token,
    body: withSet(contract.example),
  });
  if (status >= 500 && status !== 503) return [`${method} ${path} ${status} ${text}`];
  if (status !== 400) return [];
  const ofPath = (field: string): boolean => path.split("/").includes(`:${field}`);
  const details: { path: string; message: string }[] = body.error?.details ?? body.details ?? [];
  return details
    .filter((one) => !ofPath(one.path) && !NAMES_NOBODY.test(one.message))
    .map((one) => `${method} ${path} ${one.path}: ${one.message}`);
}

it("each example is taken, or refused for what it names", async () => {
  const shown = (await routes()).filter(
    ({ path, contract }) => contract.example !== undefined && !contract.consumes && !PARTING.test(path),
  );
  expect(shown.length).toBeGreaterThan(200);
  const wrong: string[] = [];
  for (const one of shown) wrong.push(...(await misfits(one)));
  expect(wrong).toEqual([]);
}, 120_000);

it("what is wrong with a text is said in a sentence", async () => {
  const wrong = new Set<string>();
  for (const { method, path, contract } of await routes()) {
    if (!contract.example || Array.isArray(contract.example) || PARTING.test(path) || WHOLE.test(path)) continue;
    const example = withSet(contract.example);
    for (const [field, value] of Object.entries(example)) {
      if (typeof value !== "string" || field === "problemSetId") continue;
      const body = { ...example, [field]: "\t\u2603 /no such\\thing" };
      const sent = await at.http(method, fill(path, planted), { as: token, body });
      const details: { path: string; message: string }[] = sent.status === 400 ? (sent.body.error?.details ?? []) : [];
      for (const { message } of details)
        if (!/^\p{Lu}.*[.…?]$/su.test(message)) wrong.add(`${path} ${field}: ${message}`);
    }
  }
  expect([...wrong]).toEqual([]);
}, 120_000);
