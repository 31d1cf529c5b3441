import { AsyncLocalStorage } from "node:async_hooks";
import { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { EmbeddedDocuments } from "../../adapters/documents/embedded.ts";
import { wantedIndexes } from "../../adapters/documents/mongo/indexes.ts";
import { Hints } from "../../adapters/documents/mongo/lists.ts";
import { totalOrder } from "../../adapters/documents/paths.ts";
import { checkedQuery } from "../../adapters/documents/queries.ts";
import { EmbeddedCollection } from "../../adapters/documents/sqlite/collection.ts";
import { Statements } from "../../adapters/documents/sqlite/statements.ts";
import type { Sql } from "../../adapters/documents/sqlite/query/sql.ts";
import { systemActor, type Actor } from "../../core/access/access.ts";
import type { PublishedEndpoint } from "../../core/contract/catalogue.ts";
import type { Collection, Doc, Index, Query } from "../../core/records/documents.ts";
import { newId } from "../../core/ids.ts";
import { actor, itInside, world, type TestWorld } from "../mesh.ts";
import { fill } from "../paths.ts";
import { plant, type Planted } from "../requests.ts";
import { routes } from "../routes.ts";
import { admit, openCompartment, openSet, persons } from "../workspace/people.ts";

// Costs stay flat: every list, with each filter and in each order, visits no more rows than it shows and counts, on a
// first start, after `analyze` and after a restart. What the store is asked is caught, and its plans are looked at.

/** Lists that are bounded otherwise, and by what. */
const BOUNDED: Record<string, string> = {
  "agents.enrolments.list": "Those of every set and of one's own, of which a set has at most 200.",
  "agents.executions.list": "What one waits for is looked for among one's own that wait, of which there are few.",
  "agents.teams.list": "As agents, at most 100 a set.",
  "ai-staff.feedItems.list": "Ranked anew for each reader, of some hundreds that three indexes find.",
  "articles.list": "What is left of a query is decided inside of the index, without reading an article.",
  "briefings.list": "Of those that are not completed, few, by the time of those that are.",
  "credentials.list": "What several rules show somebody: their own, and those of the sets they issue in.",
  "discovery.devices.list": "Those that one transport saw are looked for among the devices of a place.",
  "encryption.keys.list": "As credentials: one's own, and those of one's sets.",
  "escrow.ledgerEntries.list": "Numbered, each once: the order is the unique index's.",
  "identity.dids.list": "An account has at most 100.",
  "jobs.list": "Jobs that ended are removed after a while.",
  "messages.channels.list": "A set has few.",
  "messages.deadLetters.list": "One's own subscriptions are few.",
  "messages.list":
    "Filters beside a set and a priority are asked of the messages that one of them finds, the newest first.",
  "messages.listThread": "A thread is short.",
  "problem-sets.invitations.list": "Those of one set that were not withdrawn.",
  "problem-sets.invitations.listMine": "One's own.",
  "problem-sets.listMine": "One's own, by name.",
  "resources.list": "By what they can do: those of a set that can, found by an index.",
  "resources.search": "Those of a set that have the words, found by an index.",
  "strategic.environments.listUnorganized": "Beside its page: in which compartments the set's 500 containers lie.",
};

/** On MongoDB alone, and by what. */
const BOUNDED_THERE: Record<string, string> = {
  "resources.members.list": "Those of a page, by their ids.",
};
/** MongoDB makes 64 indexes of a collection, that of the ids among them. */
const MOST_INDEXES = 64;

/** Lists of a reader's view of a graph, which whichever is asked first makes, and the process keeps until it changes. */
const OF_A_VIEW = ["actors", "duplicates", "events", "statements", "tensions"].map((noun) => `graph.${noun}.list`);

const LIMIT = 3;
const CLONES = 300;
/** Rows that are read for a list of three, of however many: the first ones of each stretch of an index. */
const MOST_READ = 150;

interface Asked extends Sql {
  rows: number;
}
const asking = new AsyncLocalStorage<Asked[]>();
const { all, some } = Statements.prototype;
/** What lists ask of collections: a page has an order, a count none. */
interface Listing {
  collection: string;
  query: Query;
  sort: readonly string[];
}
const listing = new AsyncLocalStorage<Listing[]>();
const { find, count } = EmbeddedCollection.prototype;
const declared = new Map<string, readonly Index[]>();
const { collection: opened } = EmbeddedDocuments.prototype;
beforeAll(() => {
  EmbeddedDocuments.prototype.collection = function (name, options = {}) {
    if (options.indexes?.length) declared.set(name, [...(declared.get(name) ?? []), ...options.indexes]);
    return opened.call(this, name, options);
  };
  EmbeddedCollection.prototype.find = function (params = {}) {
    const { query = {}, sort = [], limit } = params;
    if (limit && sort.length) listing.getStore()?.push({ collection: this.name, query, sort });
    return find.call(this, params);
  };
  EmbeddedCollection.prototype.count = function (params = {}) {
    listing.getStore()?.push({ collection: this.name, query: params.query ?? {}, sort: [] });
    return count.call(this, params);
  };
  Statements.prototype.all = function (this: Statements, query: Sql) {
    const rows = all.call(this, query);
    asking.getStore()?.push({ ...query, rows: rows.length });
    return rows;
  };
  Statements.prototype.some = function (this: Statements, query: Sql, most: number) {
    const found = some.call(this, query, most);
    asking.getStore()?.push({ ...query, rows: found[0].length });
    return found;
  };
});
afterAll(() => {
  Object.assign(Statements.prototype, { all, some });
  Object.assign(EmbeddedCollection.prototype, { find, count });
  EmbeddedDocuments.prototype.collection = opened;
});

const isList = ({ method, contract }: PublishedEndpoint): boolean =>
  method === "GET" && "limit" in (contract.query ?? {});

type Plain = { enum?: unknown[]; type?: string; format?: string };

/** A value that a filter takes. */
function valueOf(name: string, { enum: values, type, format }: Plain, set: string): unknown {
  if (values) return values[0];
  if (type === "boolean") return true;
  if (type === "integer" || type === "number") return 1;
  if (format === "date-time" || name === "from" || name === "to") return "2026-01-01T00:00:00.000Z";
  return name === "problemSetId" || name === "workspaceId" ? set : "news";
}

/** Each filter and all of them, in each order. */
function variants({ contract }: PublishedEndpoint, set: string): Record<string, unknown>[] {
  const query = contract.query ?? {};
  const required = "problemSetId" in query && contract.within ? { problemSetId: set } : {};
  const filters: Record<string, unknown>[] = [{}],
    orders: Record<string, unknown>[] = [{}];
  for (const [name, field] of Object.entries(query)) {
    if (["page", "limit", "cursor", "facets", "q"].includes(name)) continue;
    const schema = z.toJSONSchema(field as z.ZodType, { io: "input", unrepresentable: "any" }) as Plain;
    if (name === "sort") orders.push(...schema.enum!.map((sort) => ({ sort })));
    else filters.push({ [name]: valueOf(name, schema, set) });
  }
  const all = Object.assign({}, ...filters) as Record<string, unknown>;
  return [...filters, all].flatMap((filter) => orders.map((order) => ({ ...required, ...filter, ...order })));
}

let at: TestWorld, set: string, reader: Actor, admin: Actor;
let planted: Planted, lists: PublishedEndpoint[];
let open: DatabaseSync;
const database = (): DatabaseSync => {
  void (at.mesh.world.documents as EmbeddedDocuments).read((one) => void (open = one));
  return open;
};

/** What the store was asked for one list. */
async function askedFor(list: PublishedEndpoint, query: object): Promise<Asked[]> {
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

const planOf = (text: string): string[] =>
  (database().prepare(`explain query plan ${text}`).all() as { detail: string }[]).map(({ detail }) => detail);

/** What is wrong with a statement: rows that it visits and does not show. Look-ups by id and of a row's place are none. */
function flaws({ text }: Sql): string[] {
  if (!text.startsWith("select") || /cross join|where 0 /.test(text) || /where \(?d\.id = \?/.test(text)) return [];
  const bad = planOf(text).filter((step) => /^SCAN d\b(?!.*INDEX)|TEMP B-TREE/.test(step));
  return [...bad, ...(text.includes("indexed by") || !/limit|count\(/.test(text) ? [] : ["not pinned"])];
}

/** Records as those of a table, under other ids and of other instants. */
async function multiply(table: string): Promise<void> {
  const collection = await at.mesh.world.documents.collection(table);
  const there = await collection.find();
  if (!there.length) return;
  const clones = Array.from({ length: Math.ceil(CLONES / there.length) }, (_, round) =>
    there.map((doc, n): Doc => {
      const at = new Date(Date.parse("2020-01-01") + round * 1_000 + n).toISOString();
      const { _pending, _pendingSince, _place, _idem, ...rest } = doc;
      return {
        ...rest,
        _id: typeof doc._id === "number" ? 1e6 + round * 1_000 + n : newId(),
        createdAt: at,
        updatedAt: at,
      };
    }),
  );
  await collection.bulk(clones.flat().map((insert) => ({ insert })));
}

beforeAll(async () => {
  // Lists of what a chain tells are there where one is named.
  at = await world({ CHAIN_RPC_URL: "http://127.0.0.1:9" });
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
  const account = await at.call("auth.actor", { userId: red.userId }, systemActor("test"));
  reader = { ...account, via: "jwt" };
  admin = { ...actor("system_admin"), memberships: reader.memberships! };
}, 120_000);
afterAll(() => at.stop());

/** What was asked for all lists in all variants, by list. */
const asked = new Map<string, Asked[]>();
const listings = new Map<string, Listing[]>();
const pinned = (): Asked[] =>
  [...asked].filter(([action]) => !BOUNDED[action] && !OF_A_VIEW.includes(action)).flatMap(([, all]) => all);

itInside("each list is read from an index that has its filters and its order, and visits what it shows", async () => {
  for (const list of lists) {
    const all: Asked[] = [];
    const listed: Listing[] = [];
    await listing.run(listed, async () => {
      for (const query of variants(list, set)) all.push(...(await askedFor(list, query)));
    });
    asked.set(list.action, all);
    listings.set(list.action, listed);
  }
  const flawed = [...asked]
    .filter(([action, all]) => !OF_A_VIEW.includes(action) && all.some((one) => flaws(one).length))
    .map(([action]) => action);
  expect(flawed.sort()).toEqual(Object.keys(BOUNDED).sort());
  expect(pinned().length).toBeGreaterThan(500);
});

/** Lists of the words that records keep of themselves; news and articles are asked of the index of search. */
const BY_WORDS = [
  "auth.users.list",
  "discovery.devices.list",
  "documents.list",
  "sources.list",
  "strategic.documents.list",
];

itInside("a list that is asked for words looks each of them up in an index", async () => {
  await at.call("sources.create", { name: "Dike", url: "https://example.org/dike.xml", domain: "energy" }, admin);
  for (const list of lists.filter(({ action }) => BY_WORDS.includes(action))) {
    const asked = variants(list, set).map((query) => askedFor(list, { ...query, q: "dike riv" }));
    const texts = (await Promise.all(asked)).flat().flatMap(({ text }) => (text.includes('"words"') ? [text] : []));
    expect({ list: list.action, pages: texts.length }).not.toMatchObject({ pages: 0 });
    for (const text of texts) {
      const looked = planOf(text).filter((step) => /SEARCH \S*\|elements\|words USING PRIMARY KEY/.test(step)).length;
      expect({ list: list.action, text, looked }).toMatchObject({ looked: 2 });
    }
  }
});

itInside("each list is read on MongoDB by an index that is named to it, of which it visits what it shows", () => {
  const unnamed = new Set<string>();
  for (const [action, all] of listings) {
    for (const { collection, query, sort } of all) {
      const hints = new Hints();
      for (const [index, { name }] of wantedIndexes(declared.get(collection)!, true)) hints.add(index, name!);
      if (!hints.of(checkedQuery(query), sort.length ? totalOrder(sort) : [])) unnamed.add(action);
    }
  }
  const bounded = [...Object.keys(BOUNDED), ...OF_A_VIEW, ...Object.keys(BOUNDED_THERE)];
  expect([...unnamed].filter((action) => !bounded.includes(action))).toEqual([]);
  for (const [collection, indexes] of declared)
    expect({ collection, fits: wantedIndexes(indexes, true).length < MOST_INDEXES }).toMatchObject({ fits: true });
});

itInside("each list costs the same where its tables hold hundreds of records more", async () => {
  const tables = new Set(pinned().flatMap(({ text }) => /from "(\w+)" d indexed by/.exec(text)?.[1] ?? []));
  for (const table of tables) await multiply(table);
  for (const list of lists.filter(({ action }) => !BOUNDED[action] && !OF_A_VIEW.includes(action))) {
    const rows = (await askedFor(list, variants(list, set)[0]!)).reduce((sum, one) => sum + one.rows, 0);
    expect({ list: list.action, rows, isFlat: rows <= MOST_READ }).toMatchObject({ isFlat: true });
  }
});

/** In turns as short as the product's own: one insert of all is one transaction. */
async function insertSliced(into: Collection, count: number, doc: (n: number) => Doc): Promise<void> {
  for (let from = 0; from < count; from += 200)
    await into.insertMany(Array.from({ length: Math.min(200, count - from) }, (_, n) => doc(from + n)));
}

it("totals are exact to ten thousand, and say that there are more beyond; what is new to somebody too", async () => {
  const at2020 = Date.parse("2020-01-01");
  const stamp = (n: number) => ({
    createdAt: new Date(at2020 + n).toISOString(),
    updatedAt: "2020-01-01T00:00:00.000Z",
  });
  const own = { problemSetId: set, compartments: [], rev: 1, createdBy: "eve" };
  const directions = await at.mesh.world.documents.collection("inheritance_directions");
  const direction = (n: number): Doc => ({ ...own, ...stamp(n), _id: newId(), kind: "intent", title: "t", text: "t" });
  const list = (query: object) => at.call("inheritance.directions.list", { problemSetId: set, ...query }, reader);
  const there = (await list({ kind: "intent" })).meta.total;
  await insertSliced(directions, 10_000 - there, direction);
  expect((await list({ kind: "intent" })).meta).toEqual({ total: 10_000, page: 1, limit: 20 });
  await directions.insert(direction(0));
  expect((await list({ kind: "intent" })).meta).toEqual({ total: 10_000, more: true, page: 1, limit: 20 });
  expect((await list({ kind: "intent", page: 501 })).data).toHaveLength(1);

  const activity = await at.mesh.world.documents.collection("problem_sets_activity");
  const item = (n: number): Doc => {
    const { createdAt, updatedAt } = stamp(n);
    const by = n % 2 ? "eve" : reader.userId;
    // What was before the reader joined is not new to them.
    const moment = new Date(Date.now() + n).toISOString();
    return { ...own, _id: newId(), createdAt, updatedAt, at: moment, kind: "gate.created", summary: "s", by };
  };
  const counts = async () => (await at.call("problem-sets.notifications.count", { problemSetIds: [set] }, reader))[0];
  const before = (await counts()).unread;
  await insertSliced(activity, 19_000, item);
  expect(await counts()).toMatchObject({ unread: before + 9_500 });
  await insertSliced(activity, 2_000, item);
  expect(await counts()).toMatchObject({ unread: 10_000, more: true });
});

itInside("statistics decide nothing: neither while it runs nor after a restart", async () => {
  const plans = (): string[][] => pinned().map(({ text }) => planOf(text));
  const before = plans();
  const other = new DatabaseSync((at.mesh.world.documents as EmbeddedDocuments).file);
  other.exec("analyze");
  expect(other.prepare("select count(*) as n from sqlite_stat1").get()!["n"]).toBeGreaterThan(0);
  other.close();
  await askedFor(lists[0]!, {});
  expect(plans()).toEqual(before);
  await at.stop({ keep: true });
  at = await world({ DATA_DIR: at.dataDir });
  expect(database().prepare("select tbl from sqlite_stat1").all()).toEqual([]);
  expect(plans()).toEqual(before);
});
