import { AsyncLocalStorage } from "node:async_hooks";
import type { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { Statements } from "../../adapters/documents/sqlite/statements.ts";
import type { Sql } from "../../adapters/documents/sqlite/sql.ts";
import { systemActor, type Actor } from "../../core/access/access.ts";
import type { Published } from "../../core/contract/catalogue.ts";
import type { Doc } from "../../core/records/documents.ts";
import { newId } from "../../core/ids.ts";
import { actor, itInside, world, type TestWorld } from "../mesh.ts";
import { fill } from "../paths.ts";
import { plant, type Planted } from "../requests.ts";
import { routes } from "../routes.ts";
import { admit, openCompartment, openSet, persons } from "../workspace/people.ts";

// Costs stay flat: every list, with each filter and in each order, visits no more rows than it shows and counts, on a
// first start, after `analyze` and after a restart. What the store is asked is caught, and its plans are looked at.

/** Lists that are bounded otherwise, and by what. */
const BOUNDED: Record<string, string> = {};

const LIMIT = 3;
const CLONES = 200;
/** Stretches of an index that a list of these records is put together from, at most. */
const STRETCHES = 40;

interface Asked extends Sql {
  rows: number;
}
const asking = new AsyncLocalStorage<Asked[]>();
const { all } = Statements.prototype;
beforeAll(() => {
  Statements.prototype.all = function (this: Statements, query: Sql) {
    const rows = all.call(this, query);
    asking.getStore()?.push({ ...query, rows: rows.length });
    return rows;
  };
});
afterAll(() => {
  Statements.prototype.all = all;
});

const isList = ({ method, contract }: Published): boolean => method === "GET" && "limit" in (contract.query ?? {});

/** Each filter, each order, and both at once, one value of each. */
function variants({ contract, action }: Published, planted: Planted, set: string): Record<string, unknown>[] {
  const query = contract.query ?? {};
  const required = "problemSetId" in query && contract.within ? { problemSetId: set } : {};
  const filters: Record<string, unknown>[] = [{}],
    orders: Record<string, unknown>[] = [{}];
  for (const [name, field] of Object.entries(query)) {
    if (["page", "limit", "cursor", "facets"].includes(name)) continue;
    const schema = z.toJSONSchema(field as z.ZodType, { io: "input", unrepresentable: "any" }) as {
      enum?: unknown[];
      type?: string;
      format?: string;
    };
    if (name === "sort") orders.push(...schema.enum!.map((sort) => ({ sort })));
    else if (schema.enum) filters.push({ [name]: schema.enum[0] });
    else if (schema.type === "boolean") filters.push({ [name]: true });
    else if (schema.format === "date-time") filters.push({ [name]: "2026-01-01T00:00:00.000Z" });
    else if (schema.type === "integer" || schema.type === "number") filters.push({ [name]: 1 });
    else filters.push({ [name]: name === "problemSetId" || name === "workspaceId" ? set : "news" });
  }
  const whole = Object.assign({}, ...filters) as Record<string, unknown>;
  void planted;
  void action;
  return [...filters, whole].flatMap((filter) => orders.map((order) => ({ ...required, ...filter, ...order })));
}

let at: TestWorld, set: string, reader: Actor, admin: Actor;
let planted: Planted, lists: Published[];
const database = (): DatabaseSync => {
  let open: DatabaseSync;
  void (at.mesh.world.documents as any).read((one: DatabaseSync) => (open = one));
  return open!;
};
const settings: Record<string, string> = {};

/** What the store was asked for one list. */
async function askedFor(list: Published, query: object): Promise<Asked[]> {
  const names = list.path.split("/"),
    filled = fill(list.path, planted).split("/");
  const inPath = Object.fromEntries(
    names.flatMap((name, n) => (name.startsWith(":") ? [[name.slice(1), decodeURIComponent(filled[n]!)]] : [])),
  );
  const asked: Asked[] = [];
  const who = list.contract.permit === "signed-in" || list.contract.within ? reader : admin;
  await asking
    .run(asked, () => at.call(list.action, { ...inPath, limit: LIMIT, ...query }, who))
    .catch((error: { code?: unknown }) => {
      if (typeof error.code !== "number" || error.code >= 500) throw error;
    });
  return asked;
}

/** What is wrong with a statement: rows that it visits and does not show. */
function flaws({ text }: Sql): string[] {
  if (!/^select/.test(text) || text.includes("cross join")) return [];
  const steps = (database().prepare(`explain query plan ${text}`).all() as { detail: string }[]).map(
    ({ detail }) => detail,
  );
  const bad = steps.filter((step) => /^SCAN d\b(?!.*INDEX)|TEMP B-TREE/.test(step));
  return [...bad, ...(/indexed by| where d\.id = \?/.test(text) || !/limit|count\(/.test(text) ? [] : ["not pinned"])];
}

beforeAll(async () => {
  at = await world();
  Object.assign(settings, { DATA_DIR: at.dataDir });
  lists = (await routes()).filter(isList);
  const [ann, red] = await persons(at, "ann", "red");
  const parent = await openSet(at, ann, { name: "Corps" });
  set = await openSet(at, ann, { name: "Division", parentId: parent });
  for (const id of [set, parent]) await admit(at, id, red, "commander");
  const compartments = [await openCompartment(at, set, ann, "red", red)];
  planted = {
    ":problemSetId": set,
    "/api/problem-sets/:id": set,
    "/api/inheritance/:id": set,
    ...(await plant(at, { problemSetId: set, parentId: parent, compartments, by: red, text: "dike" })),
  };
  const of = async (userId: string): Promise<Actor> => ({
    ...(await at.call("auth.actor", { userId }, systemActor("test"))),
    via: "jwt",
  });
  reader = await of(red.userId);
  admin = { ...actor("system_admin"), memberships: reader.memberships! };
}, 120_000);
afterAll(() => at.stop());

itInside(
  "every list visits what it shows",
  async () => {
    const found: string[] = [];
    for (const list of lists)
      for (const query of variants(list, planted, set)) {
        const asked = await askedFor(list, query);
        const wrong = asked.flatMap((one) => flaws(one).map((flaw) => `${flaw}: ${one.text.slice(0, 400)}`));
        if (wrong.length) found.push(`${list.action} ${JSON.stringify(query)}\n   ${wrong.join("\n   ")}`);
      }
    (await import("node:fs")).writeFileSync("/tmp/flaws.txt", found.join("\n"));
    console.log(found.length);
  },
  120_000,
);
