import type { EmbeddedDocuments } from "../../adapters/documents/embedded.ts";
import { itInside, PASSWORD, world, type TestWorld } from "../mesh.ts";

// A disk without room: SQLite itself says so (SQLITE_FULL) once its file may not grow any more.

let at: TestWorld;
let documents: EmbeddedDocuments;
beforeAll(async () => {
  at = await world();
  documents = at.mesh.world.documents as EmbeddedDocuments;
});
afterAll(() => at.stop());
const itOnFile = (name: string, tell: () => Promise<void>): void =>
  itInside(name, async () => {
    if (documents.kind === "embedded") await tell();
  });

const room = (pages: string): Promise<unknown> =>
  documents.read((database) => database.exec(`pragma max_page_count = ${pages}`));
const keep = (name: string) =>
  at.http("POST", "/api/sources/lists", { body: { name: name.padEnd(200, "."), sourceIds: [] } });
const login = () =>
  at.http("POST", "/api/auth/login", {
    as: null,
    body: { email: "admin@example.org", password: PASSWORD, session: true },
  });

/**
 * Leaves no room: the file grows no more, its free pages are taken, and so is what is left in those of these records.
 * Answers what it was told.
 */
async function fill(): Promise<Set<number>> {
  const filler = await documents.collection("filler");
  await room("1"); // as many pages as there are
  for (let size = 64_000; size > 0; size = Math.floor(size / 2))
    while (
      await filler.insert({ _id: `${Math.random()}`, text: "x".repeat(size) }).then(
        () => true,
        () => false,
      )
    );
  const told = new Set<number>();
  for (let refused = 0, n = 0; refused < 5; n++) {
    const { status, body } = await keep(`Full ${n}`);
    told.add(status);
    if (status !== 201) refused++;
    else acknowledged.push(body.data);
  }
  return told;
}
/** What was answered 201 while there was hardly any room. */
const acknowledged: { id: number; name: string }[] = [];
const makeRoom = () => room("2147483647");

itOnFile("is said in words, refuses nobody who reads, opens no circuit, and is over when there is room", async () => {
  const cookie = (await login()).headers.get("set-cookie")!.split(";")[0]!;
  const kept = await keep("Before");
  expect(kept.status).toBe(201);
  try {
    expect([...(await fill())].filter((status) => status !== 201)).toEqual([507]);
    const refused = await keep("One more");
    expect(refused).toMatchObject({
      status: 507,
      body: { error: { code: "INSUFFICIENT_STORAGE", message: expect.stringMatching(/no room left/) } },
    });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    // Past what opens a circuit, on the way that everybody shares.
    const signIns = [];
    for (let n = 0; n < 60; n++) signIns.push((await login()).status);
    expect(signIns.filter((status) => status !== 200 && status !== 507)).toEqual([]);
    // Whoever is not signed in can read nothing: they are told so, and what they can do.
    expect(await login()).toMatchObject({
      status: 507,
      body: { error: { code: "INSUFFICIENT_STORAGE", message: expect.stringMatching(/^Nobody can sign in .*Tell/) } },
    });
    at.clock.advance(120_000);
    expect((await at.http("GET", `/api/sources/lists/${kept.body.data.id}`)).status).toBe(200);
    expect((await at.http("GET", "/api/auth/me", { as: null, headers: { cookie } })).status).toBe(200);
    expect((await at.http("GET", "/health/ready", { as: null })).body).toMatchObject({
      status: "ready",
      checks: [{ name: "documents", ok: true }],
    });
  } finally {
    await makeRoom();
  }
  expect((await keep("After")).status).toBe(201);
  for (const { id, name } of acknowledged)
    expect((await at.http("GET", `/api/sources/lists/${id}`)).body.data).toMatchObject({ id, name });
  const { total } = (await at.http("GET", "/api/sources/lists")).body.meta;
  expect(total).toBe(acknowledged.length + 2);
  expect((await login()).status).toBe(200);
  expect((await at.http("GET", "/api/audit/verify")).body.data).toMatchObject({ ok: true });
});

itOnFile("is told from other failures, and does not fill memory with what could not be logged", async () => {
  const { audit } = at.commons("source-lists");
  try {
    await fill();
    const before = audit.head.seq;
    for (let n = 0; n < 20; n++)
      for (const { status } of await Promise.all(Array.from({ length: 25 }, () => keep("Not logged"))))
        expect([201, 507]).toContain(status);
    expect(audit.head.seq - before).toBeLessThan(300);
  } finally {
    await makeRoom();
  }
  expect((await keep("Again")).status).toBe(201);
  await documents.read((database) => database.exec("pragma query_only = on"));
  expect((await keep("Read-only")).status).toBe(500);
  await documents.read((database) => database.exec("pragma query_only = off"));
  expect((await keep("Written again")).status).toBe(201);
});

itOnFile("a node that stops meanwhile leaves what it cannot give back to its end, and says nothing of it", async () => {
  const stopping = ["search", "sources"].map(
    (name) => at.mesh.broker.getLocalService(name) as unknown as { schema: { stopped: unknown } },
  );
  for (const name of ["search.feed", "sources.ingestion"])
    await at.commons("search").leases.under(name, 600_000, async () => {});
  // In-place changes still find room in this file: here it is the whole disk that takes nothing.
  const takesNothing = (value: "on" | "off") =>
    documents.read((database) => database.exec(`pragma query_only = ${value}`));
  try {
    await takesNothing("on");
    for (const service of stopping)
      for (const stopped of [service.schema.stopped].flat() as (() => Promise<void>)[]) await stopped.call(service);
  } finally {
    await takesNothing("off");
  }
});
