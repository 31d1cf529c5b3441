import { createHash } from "node:crypto";
import { request } from "node:http";
import { recount } from "../../services/knowledge/documents/quota.ts";
import { sweep } from "../../services/knowledge/documents/reading.ts";
import { systemActor } from "../../core/access/access.ts";
import { eventually, itInside, world, type Reply, type TestWorld } from "../mesh.ts";
import { admit, as, openCompartment, openSet, persons, type Person } from "../workspace/people.ts";
import { connect } from "../gateway/live-setup.ts";
import { form, put } from "./documents.requests.ts";
import { docx, encryptedOdt, p, pdf } from "./files.ts";

let at: TestWorld;
let ann: Person, ben: Person, eve: Person, far: Person;
let problemSetId: string, red: string;
beforeAll(async () => {
  at = await world({ MAX_UPLOAD_BYTES: "300000", MAX_SET_BYTES: "2000000" });
  [ann, ben, eve, far] = await persons(at, "ann", "ben", "eve", "far");
  problemSetId = await openSet(at, ann, { name: "Northern Bridge" });
  await admit(at, problemSetId, ben, "analyst");
  await admit(at, problemSetId, eve, "observer");
  red = await openCompartment(at, problemSetId, ann, "Red", ben);
});
afterAll(() => at.stop());

const UPLOAD = "/api/documents/upload";
const upload = (who: Person, content: string | Uint8Array, name: string, fields: object = {}): Promise<Reply> =>
  at.http("POST", UPLOAD, { as: who.token, body: form(content, name, { problemSetId, ...fields }) });
const read = (who: Person, path: string): Promise<Reply> => as(at, who)("GET", `/api/documents${path}`);
const blobsLeft = async (): Promise<number> => {
  let count = 0;
  for await (const _ of at.mesh.world.blobs.list("documents", Date.now() + 60_000)) count += 1;
  return count;
};
const errorOf = ({ status, body }: Reply): unknown => [status, body.error?.code];

describe("a plan that is put in", () => {
  it("is read page by page, with offsets that quote it, and downloads as it was", async () => {
    const bytes = await pdf([["# Plan Northern Bridge", "Hold the crossing."], ["Open the road by 06:00."]]);
    const put1 = await upload(ann, bytes, "Plän (1).pdf", { description: "The first" });
    expect(put1.status).toBe(201);
    expect(put1.headers.get("location")).toBe(`/api/documents/${put1.body.data.id}`);
    const { id } = put1.body.data;
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const document = await eventually(
      async () => (await read(eve, `/${id}`)).body.data,
      ({ status }) => status === "ready",
    );
    expect(document).toMatchObject({
      title: "Plän (1)",
      format: "pdf",
      version: 1,
      versions: [
        { version: 1, fileName: "Plän (1).pdf", type: "application/pdf", bytes: bytes.length, sha256, pages: 2 },
      ],
    });
    expect(put1.text + JSON.stringify(document)).not.toMatch(/"(files|blobs|same|blob)"/);

    const second = (await read(eve, `/${id}/text?page=2`)).body.data;
    expect(second).toMatchObject({
      documentId: id,
      version: 1,
      status: "ready",
      text: "Open the road by 06:00.",
      pageCount: 2,
    });
    const range = (await read(eve, `/${id}/text?from=${second.start + 5}&to=${second.start + 13}`)).body.data;
    expect(range).toMatchObject({ text: "the road", start: second.start + 5, pages: [{ page: 2 }] });
    const whole = (await read(eve, `/${id}/text`)).body.data;
    const { start, end } = whole.blocks[0];
    expect(whole.text.slice(start, end)).toBe("Plan Northern Bridge");
    expect(whole.blocks[0]).toMatchObject({ kind: "heading", page: 1 });

    const file = await fetch(`${at.url}/api/documents/${id}/file`, {
      headers: { authorization: `Bearer ${eve.token}` },
    });
    expect(Buffer.from(await file.arrayBuffer()).equals(bytes)).toBe(true);
    expect(Object.fromEntries(file.headers)).toMatchObject({
      "content-disposition": `attachment; filename="Pl_n (1).pdf"; filename*=UTF-8''Pl%C3%A4n%20%281%29.pdf`,
      "x-content-type-options": "nosniff",
      "content-type": "application/octet-stream",
      "content-length": String(bytes.length),
    });
    const again = await at.http("GET", `/api/documents/${id}/file`, {
      as: eve.token,
      headers: { "if-none-match": file.headers.get("etag")! },
    });
    expect(again.status).toBe(304);
  });

  it("goes to no problem set without a name: an empty one is a mistake in the form", async () => {
    const { status, body } = await upload(ann, "Hold.", "hold.txt", { problemSetId: "" });
    expect([status, body.error.details]).toEqual([400, [{ path: "problemSetId", message: "Must not be empty." }]]);
  });

  it("is found by words of its title, or their beginnings, behind its compartment, at both doors", async () => {
    await upload(ann, "Hold the ford.", "a.txt", { title: "OPLAN 4102: Crossing at Vértes" });
    await upload(ben, "Burn the ford.", "b.txt", { title: "OPLAN 4103: crossing, secret", compartments: [red] });
    const found = async (who: Person, q: string, path = "/api/documents") => {
      const { data, meta } = (
        await as(at, who)("GET", `${path}?problemSetId=${problemSetId}&q=${encodeURIComponent(q)}`)
      ).body;
      expect(meta.total).toBe(data.length);
      return data.map(({ title }: { title: string }) => title.slice(0, 10)).sort();
    };
    expect(await found(ann, "crossing oplan")).toEqual(["OPLAN 4102"]);
    expect(await found(ben, "cross OPL")).toEqual(["OPLAN 4102", "OPLAN 4103"]);
    expect(await found(ann, "vertes", "/api/strategic/documents")).toEqual(["OPLAN 4102"]);
    expect(await found(ann, "rossing")).toEqual([]);
  });

  it("is one document however often its bytes come to one place, and another in another place", async () => {
    const text = "The same plan.";
    const first = await put(at, ann, text, "one.txt", { problemSetId });
    const before = await blobsLeft();
    const [again, inRed] = [
      await upload(ben, text, "two.txt"),
      await upload(ben, text, "two.txt", { compartments: red }),
    ];
    expect([again.status, again.body.data.id, again.body.data.duplicate]).toEqual([200, first.id, true]);
    expect([inRed.status, inRed.body.data.duplicate]).toEqual([201, false]);
    await eventually(blobsLeft, (count) => count === before + 4);
    const many = await Promise.all(Array.from({ length: 6 }, () => upload(ann, "At once.", "x.txt")));
    expect(new Set(many.map(({ body }) => body.data.id)).size).toBe(1);
    expect(many.filter(({ status }) => status === 201)).toHaveLength(1);
  });

  it("has versions, each with its own text", async () => {
    const { id } = await put(at, ann, "First wording.", "plan.txt", { problemSetId });
    const path = `/api/documents/${id}/versions`;
    const second = await at.http("POST", path, { as: ben.token, body: form("Second wording.", "plan.txt") });
    expect([second.status, second.body.data.version]).toEqual([201, 2]);
    const same = await at.http("POST", path, { as: ben.token, body: form("Second wording.", "plan.txt") });
    expect([same.status, same.body.data.version, same.body.data.duplicate]).toEqual([200, 2, true]);
    await eventually(
      () => read(eve, `/${id}/text`),
      ({ status }) => status === 200,
    );
    expect((await read(eve, `/${id}/text`)).body.data.text).toBe("Second wording.");
    expect((await read(eve, `/${id}/text?version=1`)).body.data.text).toBe("First wording.");
    expect((await read(eve, `/${id}/versions`)).body.data.map(({ version }: any) => version)).toEqual([1, 2]);
    expect((await read(eve, `/${id}/text?version=3`)).status).toBe(404);
  });

  it("lies behind its compartment: nobody else sees it, counts it, or learns that its bytes are there", async () => {
    const { id } = await put(at, ben, "Only for red.", "red.txt", {
      problemSetId,
      compartments: red,
      title: "Red plan",
    });
    for (const path of [`/${id}`, `/${id}/text`, `/${id}/file`, `/${id}/versions`])
      for (const who of [ann, far]) expect((await read(who, path)).status).toBe(404);
    const titles = async (who: Person): Promise<string[]> =>
      (await read(who, `?problemSetId=${problemSetId}&limit=100`)).body.data.map(({ title }: any) => title);
    expect(await titles(ben)).toContain("Red plan");
    expect(await titles(ann)).not.toContain("Red plan");
    const hers = await upload(ann, "Only for red.", "mine.txt");
    expect([hers.status, hers.body.data.duplicate]).toEqual([201, false]);
    expect(errorOf(await upload(far, "x", "x.txt"))).toEqual([404, "NOT_FOUND"]);
    expect(errorOf(await upload(eve, "x", "x.txt"))).toEqual([403, "FORBIDDEN"]);
  });

  it("is told: in the activity, and live to those who look on", async () => {
    const client = await connect(at.url, { auth: { token: eve.token } });
    await client.subscribe({ problemSetId });
    const { id } = await put(at, ann, "To be told.", "told.txt", { problemSetId });
    await eventually(
      () =>
        client
          .of("document.changed")
          .filter(({ data }) => data.id === id)
          .map(({ data }) => data.status),
      (states) => states.join() === "reading,ready",
    );
    const sealed = await put(at, ann, encryptedOdt("", "sesame"), "sealed.odt", { problemSetId });
    const last = await eventually(
      () =>
        client
          .of("document.changed")
          .filter(({ data }) => data.id === sealed.id)
          .at(-1)?.data,
      (told) => told?.status === "unreadable",
    );
    expect(last).toEqual({ id: sealed.id, version: 1, status: "unreadable", reason: "encrypted" });
    client.socket.close();
    const words = await eventually(
      async () => (await as(at, ann)("GET", `/api/problem-sets/${problemSetId}/activity`)).text,
      (text) => text.includes('The document \\"told\\" can be read.'),
    );
    expect(words).toContain('The document \\"told\\" was put in.');
  });
});

describe("a document that is withdrawn", () => {
  it("leaves its title, hash, who and why, and none of its bytes", async () => {
    const { id, versions } = await put(at, ben, "To be taken back.", "back.txt", { problemSetId });
    const before = await blobsLeft();
    expect((await as(at, eve)("DELETE", `/api/documents/${id}`)).status).toBe(403);
    const taken = await as(at, ben)("DELETE", `/api/documents/${id}?reason=Out%20of%20date`);
    expect(taken.body.data).toMatchObject({
      title: "back",
      status: "withdrawn",
      withdrawn: { by: ben.userId, reason: "Out of date" },
      versions: [{ sha256: versions[0].sha256 }],
    });
    expect(await blobsLeft()).toBe(before - 4);
    expect(errorOf(await read(ann, `/${id}/text`))).toEqual([410, "GONE"]);
    expect(errorOf(await read(ann, `/${id}/file`))).toEqual([410, "GONE"]);
    expect((await as(at, ann)("DELETE", `/api/documents/${id}`)).status).toBe(200);
    expect((await read(ann, "?limit=100")).text).not.toContain(id);
    expect((await read(ann, "?limit=100&status=withdrawn")).text).toContain(id);
    const anew = await upload(ann, "To be taken back.", "back.txt");
    expect([anew.status, anew.body.data.id === id]).toEqual([201, false]);
  });

  it("is withdrawn though what reads its text changes it meanwhile", async () => {
    const { id } = await put(at, ben, "To be taken back while it is read.", "read.txt", { problemSetId });
    const documents = await at.mesh.world.documents.collection("documents");
    const { claim } = documents;
    let isFirst = true;
    documents.claim = async (query, update, options) => {
      const wasFirst = isFirst;
      isFirst = false;
      if (wasFirst) await documents.updateById(id, { $inc: { rev: 1 } });
      return claim.call(documents, query, update, options);
    };
    try {
      expect((await as(at, ben)("DELETE", `/api/documents/${id}`)).body.data.status).toBe("withdrawn");
    } finally {
      Reflect.deleteProperty(documents, "claim");
    }
    expect(isFirst).toBe(false);
  });
});

describe("a file that cannot be read", () => {
  it("stays, says what is wrong, and keeps nobody from theirs", async () => {
    const locked = await pdf([["Secret"]], { userPassword: "x", ownerPassword: "y" });
    const whole = docx(p("Hold."));
    const [secret, torn, good] = await Promise.all([
      put(at, ann, locked, "locked.pdf", { problemSetId }),
      put(at, ann, whole.subarray(0, whole.length - 70), "torn.docx", { problemSetId }),
      put(at, ann, docx(p("Go on.")), "good.docx", { problemSetId }),
    ]);
    expect([secret.versions[0].reason, torn.versions[0].reason, good.status]).toEqual([
      "encrypted",
      "damaged",
      "ready",
    ]);
    const refused = await read(ann, `/${secret.id}/text`);
    expect([refused.status, refused.body.error.code, refused.body.error.details]).toEqual([
      422,
      "UNREADABLE",
      { reason: "encrypted" },
    ]);
    expect((await read(ann, `/${secret.id}/file`)).status).toBe(200);
  });
});

describe("a document behind a password", () => {
  const unlock = (who: Person, id: string, password: string): Promise<Reply> =>
    as(at, who)("POST", `/api/documents/${id}/unlock`, { password });

  it("is read once somebody says the right one, which is kept nowhere", async () => {
    const bytes = await pdf([["The convoy leaves at dawn."]], {
      userPassword: "open sesame 9",
      ownerPassword: "other",
    });
    const { id, status } = await put(at, ann, bytes, "convoy.pdf", { problemSetId });
    expect(status).toBe("unreadable");
    expect(errorOf(await unlock(ann, id, "open sesame 8"))).toEqual([422, "WRONG_PASSWORD"]);
    expect(errorOf(await unlock(eve, id, "open sesame 9"))).toEqual([403, "FORBIDDEN"]);
    expect((await read(ann, `/${id}`)).body.data.status).toBe("unreadable");
    const opened = await unlock(ann, id, "open sesame 9");
    expect([opened.status, opened.body.data.status, opened.body.data.versions[0].reason]).toEqual([
      200,
      "ready",
      undefined,
    ]);
    expect((await read(eve, `/${id}/text`)).body.data.text).toBe("The convoy leaves at dawn.");
    expect(errorOf(await unlock(ann, id, "open sesame 9"))).toEqual([409, "CONFLICT"]);
    for (const collection of ["documents", "jobs", "audit", "idempotency"]) {
      const kept = await (await at.mesh.world.documents.collection(collection)).find({ query: {} });
      expect(JSON.stringify(kept)).not.toContain("open sesame");
    }
  });
});

describe("an ODT behind a password", () => {
  it("opens as others do; one that nobody opens here says so, and blames no password", async () => {
    const unlock = (id: string): Promise<Reply> =>
      as(at, ann)("POST", `/api/documents/${id}/unlock`, { password: "sesame" });
    const [ours, other] = await Promise.all([
      put(at, ann, encryptedOdt("<text:p>The convoy rests at noon.</text:p>", "sesame"), "a.odt", { problemSetId }),
      put(at, ann, encryptedOdt("", "sesame", "Blowfish CFB"), "b.odt", { problemSetId }),
    ]);
    expect([ours, other].map(({ versions: [one] }) => [one.reason, one.explanation])).toEqual([
      ["encrypted", "It opens with a password only."],
      ["encrypted", "It is encrypted in a way that is not read here."],
    ]);
    expect((await unlock(ours.id)).body.data.status).toBe("ready");
    expect(errorOf(await unlock(other.id))).toEqual([422, "UNREADABLE"]);
    expect((await read(ann, `/${other.id}/file`)).status).toBe(200);
  });
});

describe("alike documents", () => {
  const STEPS = Array.from({ length: 30 }, (_, nth) => `Step ${nth}: the ${nth}th company secures bridge ${nth * 7}.`);

  it("are named to whoever sees them, with the language of each", async () => {
    const plan = STEPS.join("\n");
    const first = await put(at, ann, plan, "order.txt", { problemSetId });
    const second = await put(at, ben, `${plan}\nAnnex: reserves wait.`, "order-2.txt", {
      problemSetId,
      compartments: red,
    });
    const german = "Die Brücke über den Fluss bleibt geschlossen, bis die Pioniere sie geprüft haben. ".repeat(5);
    const other = await put(at, ann, german, "bruecke.txt", { problemSetId });
    expect([first.versions[0].language, other.versions[0].language]).toEqual(["en", "de"]);
    const similar = async (who: Person, id: string): Promise<any[]> => (await read(who, `/${id}`)).body.data.similar;
    expect(await similar(ben, first.id)).toMatchObject([{ documentId: second.id, version: 1 }]);
    expect((await similar(ben, second.id))[0].likeness).toBeGreaterThan(0.7);
    expect([await similar(ann, first.id), await similar(ann, other.id)]).toEqual([[], []]);
    const again = await upload(ben, plan, "again.txt");
    expect([again.status, again.body.data.similar[0].documentId]).toEqual([200, second.id]);
    await as(at, ben)("DELETE", `/api/documents/${second.id}`);
    expect(await similar(ben, first.id)).toEqual([]);
  });
});

it("the documents of a set have so many bytes together, and no more", async () => {
  const set = await openSet(at, ann, { name: "Full" });
  const fill = (nth: number): Promise<Reply> =>
    upload(ann, `${nth}${"x".repeat(298_999)}`, `${nth}.txt`, { problemSetId: set });
  const filled = await Promise.all([1, 2, 3, 4, 5, 6].map(fill));
  expect(filled.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 201]);
  expect(errorOf(await fill(7))).toEqual([409, "QUOTA"]);
  expect((await fill(1)).status).toBe(200);
  await as(at, ann)("DELETE", `/api/documents/${filled[0]!.body.data.id}`);
  expect((await fill(7)).status).toBe(201);
  await eventually(
    async () => (await read(ann, `?problemSetId=${set}&status=ready`)).body.meta.total,
    (ready) => ready === 6,
  );
  const counts = await at.mesh.world.documents.collection("document_bytes");
  await counts.updateById(set, { $set: { bytes: 5 } });
  expect(await recount.call(at.service("documents"))).toBeGreaterThan(0);
  expect((await counts.findById(set))!["bytes"]).toBe(6 * 299_000);
});

describe("what is refused leaves nothing behind", () => {
  const sentRaw = (raw: string, type = "multipart/form-data; boundary=b"): Promise<Reply> =>
    at.http("POST", UPLOAD, { as: ann.token, raw, type });
  const part = (name: string, value: string, file?: string): string =>
    `--b\r\nContent-Disposition: form-data; name="${name}"${file ? `; filename="${file}"` : ""}\r\n\r\n${value}\r\n`;

  it("no file, two, one of another name, a field too many, a torn form, no form, too much", async () => {
    const before = await blobsLeft();
    const at1 = part("problemSetId", problemSetId);
    const twice = form("one", "one.txt", { problemSetId });
    twice.append("file", new File(["two"], "two.txt"));
    const replies = {
      none: await sentRaw(`${at1}--b--\r\n`),
      words: await sentRaw(`${at1}${part("file", "words")}--b--\r\n`),
      two: await at.http("POST", UPLOAD, { as: ann.token, body: twice }),
      other: await sentRaw(`${at1}${part("plan", "x", "x.txt")}--b--\r\n`),
      field: await upload(ann, "x", "x.txt", { colour: "red" }),
      torn: await sentRaw(`${at1}${part("file", "x", "x.txt")}`),
      noForm: await sentRaw("what is this"),
      noBoundary: await sentRaw("--b", "multipart/form-data"),
      json: await as(at, ann)("POST", UPLOAD, { problemSetId }),
      large: await upload(ann, "x".repeat(300_001), "x.txt"),
      empty: await upload(ann, "", "x.txt"),
      picture: await upload(
        ann,
        Buffer.from("89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489", "hex"),
        "a.pdf",
      ),
    };
    expect(Object.fromEntries(Object.entries(replies).map(([name, reply]) => [name, errorOf(reply)]))).toEqual({
      none: [400, "VALIDATION_ERROR"],
      words: [400, "VALIDATION_ERROR"],
      two: [400, "VALIDATION_ERROR"],
      other: [400, "VALIDATION_ERROR"],
      field: [400, "VALIDATION_ERROR"],
      torn: [400, "BAD_REQUEST"],
      noForm: [400, "BAD_REQUEST"],
      noBoundary: [400, "BAD_REQUEST"],
      json: [415, "UNSUPPORTED_MEDIA_TYPE"],
      large: [413, "TOO_LARGE"],
      empty: [422, "EMPTY_FILE"],
      picture: [415, "UNSUPPORTED_MEDIA_TYPE"],
    });
    expect(replies.none.body.error.details[0].path).toBe("file");
    expect(replies.other.body.error.details).toEqual([
      { path: "plan", message: "There is no such file field; there is `file`." },
    ]);
    expect(replies.field.body.error.details[0].path).toBe("colour");
    expect(replies.picture.text).toContain("image/png");
    expect((await upload(ann, "x".repeat(300_000), "x.txt")).status).toBe(201);
    await eventually(blobsLeft, (count) => count === before + 4);
  });

  it("a client that hangs up in the middle", async () => {
    const before = await blobsLeft();
    await new Promise<void>((resolve) => {
      const asked = request(`${at.url}${UPLOAD}`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${ann.token}`,
          "content-type": "multipart/form-data; boundary=b",
          "content-length": 200_000,
        },
      });
      asked.on("error", () => resolve());
      asked.write(part("problemSetId", problemSetId) + part("file", "x".repeat(100_000), "x.txt").slice(0, -2));
      setTimeout(() => asked.destroy(), 100);
    });
    expect((await upload(ann, "After that.", "x.txt")).status).toBe(201);
    await eventually(blobsLeft, (count) => count === before + 4);
  });
});

describe("kills", () => {
  itInside(
    "a document whose reading was lost is read when it is told of, and a blob that nobody names is swept away",
    async () => {
      const { id } = await put(at, ann, "Lost in between.", "lost.txt", { problemSetId });
      const documents = await at.mesh.world.documents.collection("documents");
      const jobs = await at.mesh.world.documents.collection("jobs");
      const doc = (await documents.findById(id))!;
      await documents.updateById(id, {
        $set: { status: "received", versions: [{ ...doc["versions"][0], status: "received" }] },
      });
      await jobs.removeById(`documents.read:${id}:1`);
      expect((await read(ann, `/${id}/text`)).status).toBe(202);
      const hearing = "documents.hears:knowledge.document.added:0";
      await at.call(hearing, { fact: { data: { ...doc, id, by: ann.userId } } }, systemActor("outbox"));
      await eventually(
        () => read(ann, `/${id}/text`),
        ({ status }) => status === 200,
      );
      await at.mesh.world.blobs.put(
        "documents/nobodys",
        (async function* () {
          yield Buffer.from("x");
        })(),
      );
      const before = await blobsLeft();
      at.clock.advance(7_200_000);
      // The texts of the first reading are nobody's either: the second made its own.
      expect(await sweep.call(at.service("documents"))).toBe(4);
      expect(await blobsLeft()).toBe(before - 4);
      expect((await read(ann, `/${id}/text`)).body.data.text).toBe("Lost in between.");
      expect(await at.mesh.world.blobs.read("documents/nobodys")).toBeNull();
    },
  );
});

it("one key makes one document, whatever its bytes came to lie in", async () => {
  const headers = { "idempotency-key": "one-plan" };
  const ask = (content: string) =>
    at.http("POST", UPLOAD, { as: ann.token, headers, body: form(content, "once.txt", { problemSetId }) });
  const before = await blobsLeft();
  const [first, second] = [await ask("Once."), await ask("Once.")];
  expect(second.text).toBe(first.text);
  expect(second.headers.get("idempotency-replayed")).toBe("true");
  expect((await ask("Otherwise.")).status).toBe(409);
  await eventually(blobsLeft, (count) => count === before + 4);
});
