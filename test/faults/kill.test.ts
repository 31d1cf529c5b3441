import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../mesh.ts";
import { signIn, startNode } from "../process.ts";

// Claims 1 and 7: what was answered 2xx is there after kill -9, whole, and a key of idempotency survives it; SIGTERM
// fails nothing that was accepted.

const CYCLES = Number(process.env["KILL_CYCLES"] ?? 5);
const WRITERS = 8;
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "signalmesh-kill-"));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

type List = { id: number; name: string } & Record<string, unknown>;
/**
 * What may stand under a list's number: what was acknowledged last, and what was asked for since without an answer;
 * null is "gone".
 */
type Expected = Map<number, (List | null)[]>;
interface Acknowledged {
  lists: Expected;
  sets: Map<string, string>;
  writes: number;
  /** Names of lists that were asked for, and for which no answer came. */
  unanswered: string[];
}
const nothing = (): Acknowledged => ({ lists: new Map(), sets: new Map(), writes: 0, unanswered: [] });

/** Asks as administrator; undefined where the node went away before it had answered. */
async function ask(
  url: string,
  token: string,
  method: string,
  path: string,
  body?: unknown,
  key?: string,
): Promise<{ status: number; data: any } | undefined> {
  try {
    const answer = await fetch(`${url}/api${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(key && { "idempotency-key": key }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, data: text ? JSON.parse(text).data : undefined };
  } catch {
    return undefined;
  }
}

/** Asks for a list, under a key that is its name. */
const make = (url: string, token: string, name: string) =>
  ask(url, token, "POST", "/sources/lists", { name, sourceIds: [] }, name);

/** Every list that there is, by its number. */
async function allLists(url: string, token: string): Promise<Map<number, List>> {
  const found = new Map<number, List>();
  for (let page = 1, more = true; more; page++) {
    const { data } = (await ask(url, token, "GET", `/sources/lists?limit=100&page=${page}`))!;
    for (const list of data as List[]) found.set(list.id, list);
    more = data.length === 100;
  }
  return found;
}

/**
 * Makes, renames and removes lists without a pause until the node goes; answers 0, or the status of what it refused.
 */
async function write(url: string, token: string, name: string, told: Acknowledged): Promise<number> {
  for (let n = 0; ; n++) {
    const made = await make(url, token, `${name}.${n}`);
    if (!made) told.unanswered.push(`${name}.${n}`);
    if (made?.status !== 201) return made?.status ?? 0;
    const { id } = made.data as List;
    told.lists.set(id, [made.data]);
    told.writes++;
    if (n % 3 === 0) continue;
    const wanted =
      n % 3 === 1 ? { ...made.data, name: `${name}.${n} anew`, rev: 2, updatedAt: expect.any(String) } : null;
    told.lists.set(id, [made.data, wanted]);
    const done = wanted
      ? await ask(url, token, "PUT", `/sources/lists/${id}`, { name: wanted.name })
      : await ask(url, token, "DELETE", `/sources/lists/${id}`);
    if (!done || done.status >= 300) return done?.status ?? 0;
    told.lists.set(id, [wanted && done.data]);
    told.writes++;
  }
}

/**
 * What a careful client does with a request that was not answered: it asks again, is answered at once, since the run that
 * died with its node is not waited for, and is told the same each time.
 */
async function repeat(url: string, token: string, name: string, told: Acknowledged): Promise<void> {
  const once = await make(url, token, name);
  expect([name, once?.status]).toEqual([name, 201]);
  expect(await make(url, token, name)).toEqual(once);
  told.lists.set(once!.data.id, [once!.data]);
  told.writes++;
}

/** Opens problem sets, each of which others are to be told of, until the node goes. */
async function open(url: string, token: string, name: string, told: Acknowledged): Promise<number> {
  for (let n = 0; ; n++) {
    const made = await ask(url, token, "POST", "/problem-sets", { name: `${name}.${n}` });
    if (made?.status !== 201) return made?.status ?? 0;
    told.sets.set(made.data.id, made.data.name);
    told.writes++;
  }
}

it(
  `loses and tears nothing in ${CYCLES} kills under ${WRITERS} writers`,
  async () => {
    const told = nothing();
    let token: string | undefined;
    for (let cycle = 0; cycle < CYCLES; cycle++) {
      const { url, kill } = await startNode({ DATA_DIR: dataDir });
      const signed = (token ??= await signIn(url));
      const before = told.writes;
      const writing = Array.from({ length: WRITERS }, (_, writer) =>
        (writer ? write : open)(url, signed, `${cycle}.${writer}`, told),
      );
      await eventually(
        () => told.writes,
        (count) => count >= before + 12,
      );
      await new Promise((resolve) => setTimeout(resolve, (cycle * 97) % 300));
      await kill();
      expect(await Promise.all(writing)).toEqual(Array(WRITERS).fill(0));
    }
    const node = await startNode({ DATA_DIR: dataDir });
    const get = async (path: string): Promise<any> =>
      (await fetch(`${node.url}/api${path}`, { headers: { authorization: `Bearer ${token}` } })).json();
    await Promise.all(told.unanswered.map((name) => repeat(node.url, token!, name, told)));
    const found = await allLists(node.url, token!);
    expect(new Set([...found.values()].map(({ name }) => name)).size).toBe(found.size);
    expect(told.writes).toBeGreaterThan(CYCLES * 10);
    for (const [id, allowed] of told.lists) {
      const list = found.get(id) ?? null;
      const fitting = allowed.findIndex((one) => one?.rev === list?.rev);
      expect([id, list]).toEqual([id, allowed[Math.max(fitting, 0)]]);
    }
    // What was to be told of each is told, however often the node that was to tell it was killed: it stands in the
    // set's activity.
    for (const [id, name] of told.sets) {
      expect((await get(`/problem-sets/${id}`)).data).toMatchObject({ id, name, status: "active" });
      await eventually(
        async () => (await get(`/problem-sets/${id}/activity`)).data as { kind: string }[],
        (lines) => lines.some(({ kind }) => kind === "problem-set.created"),
        30_000,
      );
    }
    const audit = (await get("/audit/verify")) as { data: { ok: boolean; entries: number } };
    expect(audit.data).toMatchObject({ ok: true });
    expect(audit.data.entries).toBeGreaterThanOrEqual(told.writes);
    expect(await node.stop()).toBe(0);
  },
  180_000 + CYCLES * 30_000,
);

it("goes on with a briefing whose node was killed", async () => {
  const node = await startNode({ DATA_DIR: dataDir });
  const token = await signIn(node.url);
  const call = async (url: string, path: string, body?: unknown): Promise<any> =>
    (
      await fetch(url + path, {
        method: body ? "POST" : "GET",
        headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
        body: body ? JSON.stringify(body) : undefined,
      })
    ).json();
  const ordered = await Promise.all(
    Array.from({ length: 6 }, () => call(node.url, "/api/briefings/generate", { hours: 24 })),
  );
  await node.kill();
  const next = await startNode({ DATA_DIR: dataDir });
  try {
    for (const {
      data: { id },
    } of ordered)
      await eventually(
        () => call(next.url, `/api/briefings/${id}`),
        ({ data }) => data?.status === "completed" && typeof data.content === "string",
        60_000,
      );
  } finally {
    await next.stop();
  }
}, 120_000);

it("finishes on SIGTERM what it accepted: nothing was done of which its client was not told", async () => {
  const node = await startNode({ DATA_DIR: dataDir });
  const token = await signIn(node.url);
  const told = nothing();
  const writing = Array.from({ length: WRITERS }, (_, writer) => write(node.url, token, `last.${writer}`, told));
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(await node.stop()).toBe(0);
  expect(await Promise.all(writing)).toEqual(Array(WRITERS).fill(0));
  expect(told.writes).toBeGreaterThan(0);
  const next = await startNode({ DATA_DIR: dataDir });
  const found = await allLists(next.url, token);
  const unheard = told.unanswered.filter((name) => [...found.values()].some((list) => list.name === name));
  expect(unheard).toEqual([]);
  // Of a list's states, the first that it may be in is the last one that was answered.
  for (const [id, [answered]] of told.lists) expect([id, found.get(id) ?? null]).toEqual([id, answered]);
  await next.stop();
}, 60_000);
