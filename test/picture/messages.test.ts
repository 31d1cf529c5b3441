import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { actor, eventually, type TestWorld } from "../mesh.ts";
import { connect } from "../gateway/live-setup.ts";
import { admit, as, openSet, person, type Person } from "../workspace/people.ts";
import { Channel, MOST_BY_PERSON, MOST_IN_PLACE } from "../../services/picture/messages/channels.ts";
import { inChannel, take } from "./bus-setup.ts";
import { staffedWorld } from "./staffed-set.ts";

let at: TestWorld;
let ann: Person, bob: Person, cleo: Person, eve: Person;
let set: string, red: string;
beforeAll(async () => {
  ({ at, ann, bob, cleo, eve, set, red } = await staffedWorld());
}, 120_000);
afterAll(() => at.stop());

let channels = 0;
const channel = (place: { problemSetId?: string; compartments?: string[] } = { problemSetId: set }) =>
  inChannel(at, `ch.${++channels}`, place);
const ack = (who: Person, id: string, body: object = {}) =>
  as(at, who)("POST", `/api/messages/${id}/acknowledge`, body);
const read = async (who: Person, tail: string) => (await as(at, who)("GET", `/api/messages${tail}`)).body;

describe("publishing", () => {
  it("numbers the messages of a channel, and binds each to all before it by a digest that anybody can compute", async () => {
    const line = channel();
    const sent = [];
    for (const [n, priority] of (["routine", "flash", "routine"] as const).entries())
      sent.push(
        (await line.publish(bob, { priority, payload: { n, "a.b": { $set: "ž" } }, correlationId: "c" })).body.data,
      );
    expect(sent.map(({ sequence, priority, source }) => [sequence, priority, source])).toEqual([
      [1, "routine", bob.did],
      [2, "flash", bob.did],
      [3, "routine", bob.did],
    ]);
    let digest = "0".repeat(64);
    for (const {
      channelId,
      classification,
      correlationId,
      id,
      payload,
      priority,
      publishedAt,
      sequence,
      source,
      type,
      ...rest
    } of sent) {
      digest = createHash("sha256")
        .update(
          digest +
            canonicalize({
              channelId,
              classification,
              correlationId,
              id,
              payload,
              priority,
              publishedAt,
              sequence,
              source,
              type,
            }),
        )
        .digest("hex");
      expect(rest.digest).toBe(digest);
    }
    expect(await line.shown(cleo)).toMatchObject({
      sequence: 3,
      digest,
      lastPublishedAt: sent[2].publishedAt,
      mine: null,
    });
    expect((await as(at, cleo)("GET", `/api/messages/${sent[1].id}`)).body.data).toEqual(sent[1]);
    expect(sent[1].payload).toEqual({ n: 1, "a.b": { $set: "ž" } });
  });

  it("refuses what is not a message, by the field", async () => {
    const line = channel();
    const refused = async (fields: object) => {
      const { status, body } = await line.publish(bob, fields);
      return [status, body.error?.details?.[0]?.path];
    };
    expect(await refused({ type: "sent" })).toEqual([400, "type"]);
    expect(await refused({ payload: { text: "x".repeat(65_536) } })).toEqual([400, "payload"]);
    expect(await refused({ expiresAt: "2020-01-01T00:00:00Z" })).toEqual([400, "expiresAt"]);
    expect(await refused({ channel: "no spaces" })).toEqual([400, "channel"]);
    expect(await refused({ source: ann.did })).toEqual([400, "source"]);
    expect(await refused({ sequence: 7 })).toEqual([400, "sequence"]);
    expect(await refused({ channel: undefined, problemSetId: undefined })).toEqual([400, "channel"]);
    expect(await refused({ problemSetId: undefined, compartments: [red] })).toEqual([400, "compartments"]);
    expect(await refused({ channel: undefined, problemSetId: undefined, destination: "did:key:zNobody" })).toEqual([
      400,
      "destination",
    ]);
    expect(await line.shown(bob)).toBeUndefined();
  });

  it("answers a publisher's own dedupeId with the message that is there, at once and after a day", async () => {
    const line = channel();
    const answers = await Promise.all(Array.from({ length: 20 }, () => line.publish(bob, { dedupeId: "order-7" })));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.data.id}`)).size).toBe(1);
    at.clock.advance(25 * 3_600_000);
    expect((await line.publish(bob, { dedupeId: "order-7" })).body.data).toEqual(answers[0]!.body.data);
    expect((await line.publish(ann, { dedupeId: "order-7" })).body.data.sequence).toBe(2);
    // A counter that begins anew after a restart must not swallow what is said next.
    const other = await line.publish(bob, { dedupeId: "order-7", payload: { evacuate: true } });
    expect([other.status, other.body.error.details]).toEqual([409, { id: answers[0]!.body.data.id, sequence: 1 }]);
    expect((await channel().publish(bob, { dedupeId: "order-7" })).body.data.sequence).toBe(1);
  });

  it("is a matter of the role in the set, and of the platform's outside", async () => {
    const line = channel();
    expect((await line.publish(cleo)).status).toBe(403);
    expect((await line.publish(eve)).status).toBe(404);
    const outside = channel({});
    expect(
      (await at.http("POST", "/api/messages", { as: "reader", body: { channel: "all", type: "a.b", payload: {} } }))
        .status,
    ).toBe(403);
    expect((await outside.publish(eve)).status).toBe(201);
    expect(
      (await at.http("GET", "/api/messages/channels?limit=100", { as: "reader" })).body.data.some(
        ({ problemSetId }: any) => problemSetId === undefined,
      ),
    ).toBe(true);
  });

  it("is heard of at once on sockets, by those who may see the message", async () => {
    const [there, elsewhere] = await Promise.all([bob, cleo].map(({ token }) => connect(at.url, { auth: { token } })));
    for (const client of [there!, elsewhere!]) await client.subscribe({ problemSetId: set });
    const secret = (await channel({ problemSetId: set, compartments: [red] }).publish(bob)).body.data;
    const open = (await channel().publish(bob)).body.data;
    const told = (client: typeof there) => client!.of("message.published").map(({ data }) => data.id);
    await eventually(
      () => told(elsewhere),
      (ids) => ids.includes(open.id),
    );
    await eventually(
      () => told(there),
      (ids) => ids.includes(open.id) && ids.includes(secret.id),
    );
    expect(told(elsewhere)).not.toContain(secret.id);
    for (const client of [there!, elsewhere!]) client.socket.close();
  });
});

describe("a subscription", () => {
  it("delivers in order until each message is acknowledged, again after the wait, and at last to the dead letters", async () => {
    const line = channel();
    await line.subscribe(ann);
    await line.subscribe(cleo, { ackWaitSeconds: 30, mostDeliveries: 2 });
    const ids = [];
    for (let n = 0; n < 3; n++) ids.push((await line.publish(bob)).body.data.id);
    const first = (await line.next(cleo)).body;
    expect(first.data.map(({ id, deliveries }: any) => [id, deliveries])).toEqual(ids.map((id) => [id, 1]));
    expect((await line.next(cleo)).body).toMatchObject({ data: [], meta: { waiting: 3 } });
    expect((await ack(cleo, ids[1])).status).toBe(200);
    expect((await ack(cleo, ids[1])).status).toBe(200);
    at.clock.advance(31_000);
    expect((await line.next(cleo)).body.data.map(({ id, deliveries }: any) => [id, deliveries])).toEqual([
      [ids[0], 2],
      [ids[2], 2],
    ]);
    at.clock.advance(31_000);
    const { data: dead, meta } = await read(cleo, "/dead-letters");
    expect(dead.map(({ id, deliveries }: any) => [id, deliveries])).toEqual([
      [ids[2], 2],
      [ids[0], 2],
    ]);
    expect(meta.total).toBe(2);
    expect((await read(bob, "/dead-letters")).data).toEqual([]);
    expect((await as(at, bob)("POST", `/api/messages/dead-letters/${ids[0]}/redeliver`)).status).toBe(404);
    expect((await line.next(cleo)).body.data).toEqual([]);
    expect((await as(at, cleo)("POST", `/api/messages/dead-letters/${ids[0]}/redeliver`)).status).toBe(200);
    expect((await line.next(cleo)).body.data.map(({ id, deliveries }: any) => [id, deliveries])).toEqual([[ids[0], 1]]);
    expect((await ack(cleo, ids[2], { cumulative: true })).status).toBe(200);
    expect(await line.shown(cleo)).toMatchObject({
      sequence: 3,
      mine: { acknowledgedThrough: 3, waiting: 0, deadLetters: 0 },
    });
    expect((await ack(bob, ids[0])).status).toBe(404);
  });

  it("begins with what is new, or with the first message, and keeps its place when asked for again", async () => {
    const line = channel();
    await line.publish(bob);
    expect((await line.subscribe(cleo)).body.data).toMatchObject({
      position: 1,
      ackWaitSeconds: 30,
      mostDeliveries: 5,
    });
    expect((await line.subscribe(ann, { from: "first" })).body.data.position).toBe(0);
    expect((await line.subscribe(cleo, { from: "first", ackWaitSeconds: 5 })).body.data).toMatchObject({
      position: 1,
      ackWaitSeconds: 5,
    });
    const early = (await line.publish(bob)).body.data;
    expect((await ack(cleo, early.id)).status).toBe(409);
    expect((await line.next(ann)).body.data.map(({ sequence }: any) => sequence)).toEqual([1, 2]);
    expect((await line.unsubscribe(ann)).status).toBe(204);
    expect((await line.unsubscribe(ann)).status).toBe(204);
    expect((await line.next(ann)).status).toBe(404);
    expect((await line.next(eve)).status).toBe(404);
    const { subscribers } = await line.shown(ann);
    expect([subscribers, (await line.shown(bob)).subscribers]).toEqual([1, undefined]);
  });

  it("passes over what has expired and what is of less precedence, without a gap in the numbers", async () => {
    const line = channel();
    await line.subscribe(bob);
    await line.subscribe(cleo, { leastPriority: "immediate" });
    const open = line.stream(cleo);
    await line.publish(bob, { priority: "flash", expiresAt: new Date(at.clock.now() + 60_000).toISOString() });
    await line.publish(bob, { priority: "priority" });
    await line.publish(bob, { priority: "immediate" });
    const heard = await take(open, 3);
    await open.return(undefined);
    expect(heard.map(({ event, id, data }) => [event, id, data.reason ?? data.deliveries])).toEqual([
      ["message.published", "1", 1],
      ["message.skipped", "2", "priority"],
      ["message.published", "3", 1],
    ]);
    const again = line.stream(cleo, 1);
    expect((await take(again, 1))[0]).toMatchObject({
      event: "message.skipped",
      id: "2",
      data: { reason: "priority" },
    });
    await again.return(undefined);
    at.clock.advance(61_000);
    const late = line.stream(bob, 0);
    expect((await take(late, 3)).map(({ event, data }) => [event, data.sequence, data.reason])).toEqual([
      ["message.skipped", 1, "expired"],
      ["message.published", 2, undefined],
      ["message.published", 3, undefined],
    ]);
    await late.return(undefined);
    // A stream that was cut a moment ago may have got it for the second time.
    const [again3] = await eventually(
      async () => (at.clock.advance(31_000), (await line.next(cleo)).body.data),
      (messages) => messages.length > 0,
    );
    expect([again3.sequence, again3.deliveries > 1]).toEqual([3, true]);
  });

  it("belongs to several workers of one account: each speaks of its own delivery, by its receipt", async () => {
    const line = channel();
    await line.subscribe(ann);
    await line.subscribe(cleo, { backOffSeconds: [10, 60] });
    const { id } = (await line.publish(bob)).body.data;
    const say = (word: string, body: object) => as(at, cleo)("POST", `/api/messages/${id}/${word}`, body);
    const [slow] = (await line.next(cleo)).body.data;
    at.clock.advance(11_000);
    const [quick] = (await line.next(cleo)).body.data;
    expect([slow.deliveries, quick.deliveries, quick.receipt > slow.receipt]).toEqual([1, 2, true]);
    for (const word of ["acknowledge", "refuse", "extend"])
      expect((await say(word, { receipt: slow.receipt })).status).toBe(409);
    expect((await say("acknowledge", { receipt: slow.receipt, cumulative: true })).body.error.details).toMatchObject([
      { path: "receipt" },
    ]);
    // The second delivery has a minute, and asks for two.
    at.clock.advance(50_000);
    expect((await say("extend", { receipt: quick.receipt, seconds: 120 })).status).toBe(200);
    at.clock.advance(100_000);
    expect((await line.next(cleo)).body.data).toEqual([]);
    expect((await say("refuse", { receipt: quick.receipt, delaySeconds: 30 })).status).toBe(200);
    expect((await line.next(cleo)).body.data).toEqual([]);
    at.clock.advance(31_000);
    const [third] = (await line.next(cleo)).body.data;
    expect(third.deliveries).toBe(3);
    expect((await say("refuse", { receipt: third.receipt, final: true })).status).toBe(200);
    expect((await read(cleo, "/dead-letters")).data).toMatchObject([{ id, deliveries: 3 }]);
    expect((await say("refuse", { receipt: third.receipt })).status).toBe(409);
    for (const who of [bob, eve])
      expect((await as(at, who)("POST", `/api/messages/${id}/refuse`, { receipt: 1 })).status).toBe(404);
  });

  it("hands out flash before routine, and the numbers stay", async () => {
    const line = channel();
    await line.subscribe(ann);
    await line.subscribe(cleo, { order: "precedence", types: ["convoy.>"] });
    for (const [type, priority] of [
      ["convoy.truck.left", "routine"],
      ["depot.gate.open", "flash"],
      ["convoy.truck.lost", "flash"],
      ["convoy.driver.ill", "immediate"],
      ["convoy.truck.came", "routine"],
    ])
      await line.publish(bob, { type, priority });
    const next = async (limit: number) => (await line.next(cleo, limit)).body;
    const first = await next(2);
    expect(first.data.map(({ sequence }: any) => sequence)).toEqual([3, 4]);
    expect(first.meta).toEqual({ waiting: 4, skipped: [{ sequence: 2, reason: "type" }] });
    // What came meanwhile goes before what waited, and what was not handed out cannot be acknowledged.
    const late = (await line.publish(bob, { type: "convoy.bridge.down", priority: "flash" })).body.data;
    const [routine] = (await read(cleo, `?problemSetId=${set}&type=convoy.truck.left`)).data;
    expect((await ack(cleo, routine.id)).status).toBe(409);
    expect((await ack(cleo, late.id)).status).toBe(409);
    expect((await ack(cleo, first.data[1].id, { cumulative: true })).status).toBe(200);
    expect((await next(10)).data.map(({ sequence }: any) => sequence)).toEqual([6, 1, 5]);
    expect((await line.shown(cleo)).mine).toEqual({ acknowledgedThrough: 0, waiting: 3, deadLetters: 0 });
    // A stream of what is taken out and waits: in its order.
    await line.publish(bob, { type: "convoy.truck.left" });
    await line.subscribe(cleo, { types: ["convoy.*.left"] });
    const stream = line.stream(cleo);
    expect((await take(stream, 7)).map(({ id, data }) => [id, data.deliveries ?? data.reason])).toEqual([
      ["1", 1],
      ["2", "type"],
      ["3", "type"],
      ["4", "type"],
      ["5", 1],
      ["6", 1],
      ["7", 1],
    ]);
    await stream.return(undefined);
  });

  it("hands out a dead letter that is to come again by its precedence too", async () => {
    const line = channel();
    await line.subscribe(ann);
    await line.subscribe(cleo, { order: "precedence" });
    for (const priority of ["routine", "routine", "flash", "routine"]) await line.publish(bob, { priority });
    const next = async (limit: number) => (await line.next(cleo, limit)).body.data;
    const [flash] = await next(1);
    await as(at, cleo)("POST", `/api/messages/${flash.id}/refuse`, { receipt: flash.receipt, final: true });
    expect((await as(at, cleo)("POST", `/api/messages/dead-letters/${flash.id}/redeliver`)).status).toBe(200);
    expect((await next(4)).map(({ sequence }: any) => sequence)).toEqual([3, 1, 2, 4]);
  });

  it("begins with a number or a time, and refuses what is neither", async () => {
    const line = channel();
    for (let n = 0; n < 3; n++) await line.publish(bob);
    at.clock.advance(60_000);
    const noon = new Date(at.clock.now()).toISOString();
    for (let n = 0; n < 2; n++) await line.publish(bob);
    const position = async (who: Person, from: object) => (await line.subscribe(who, from)).body.data.position;
    expect(await position(cleo, { fromSequence: 2 })).toBe(1);
    expect(await position(bob, { fromTime: noon })).toBe(3);
    expect(await position(ann, { fromTime: "2001-01-01T00:00:00.000Z" })).toBe(0);
    for (const who of [cleo, bob, ann]) await line.unsubscribe(who);
    expect(await position(cleo, { fromSequence: 99 })).toBe(5);
    expect(await position(bob, { fromTime: new Date(at.clock.now() + 60_000).toISOString() })).toBe(5);
    for (const [path, rules] of Object.entries({
      fromTime: { fromSequence: 2, fromTime: noon },
      "types.0": { types: ["convoy..left"] },
      "backOffSeconds.1": { backOffSeconds: [1, 0] },
      order: { order: "loudest" },
    }))
      expect((await line.subscribe(ann, rules)).body.error.details[0].path).toBe(path);
  });

  it("streams from the first message that is not settled, and redelivers without an id", async () => {
    const line = channel();
    await line.subscribe(bob);
    await line.subscribe(cleo, { from: "first", ackWaitSeconds: 10 });
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) ids.push((await line.publish(bob)).body.data.id);
    const first = line.stream(cleo);
    expect((await take(first, 3)).map(({ id }) => id)).toEqual(["1", "2", "3"]);
    await ack(cleo, ids[0]!);
    await ack(cleo, ids[2]!);
    at.clock.advance(11_000);
    // Every node has heard of the hour with the next request.
    await read(cleo, "/stats");
    const [again] = await take(first, 1);
    expect(again).toMatchObject({ event: "message.redelivered", data: { sequence: 2, deliveries: 2 } });
    expect(again!.id).toBeUndefined();
    await first.return(undefined);
    const second = line.stream(cleo);
    expect((await take(second, 2)).map(({ event, id, data }) => [event, id, data.deliveries ?? data.reason])).toEqual([
      ["message.published", "2", 2],
      ["message.skipped", "3", "settled"],
    ]);
    const next = take(second, 1);
    await line.publish(bob);
    expect((await next)[0]).toMatchObject({ event: "message.published", id: "4" });
    await line.unsubscribe(cleo);
    expect((await take(second, 1))[0]).toMatchObject({ event: "done" });
  });
});

describe("who sees what", () => {
  it("in a compartment only those read into it, in lists, totals, threads and channels too", async () => {
    const line = channel({ problemSetId: set, compartments: [red] });
    const before = await Promise.all([
      read(cleo, `?problemSetId=${set}`),
      read(ann, "/stats"),
      read(ann, `/channels?problemSetId=${set}`),
    ]);
    const { id } = (await line.publish(bob, { correlationId: "secret", payload: { text: "quince" } })).body.data;
    await line.subscribe(bob, { from: "first" });
    expect(
      await Promise.all([
        read(cleo, `?problemSetId=${set}`),
        read(ann, "/stats"),
        read(ann, `/channels?problemSetId=${set}`),
      ]),
    ).toEqual(before);
    for (const who of [ann, cleo, eve]) {
      expect((await as(at, who)("GET", `/api/messages/${id}`)).status).toBe(404);
      expect((await as(at, who)("GET", "/api/messages/thread/secret")).status).toBe(404);
      expect((await line.subscribe(who)).status).toBe(404);
      await expect(take(line.stream(who), 1)).rejects.toThrow("404");
    }
    expect((await read(bob, "/thread/secret")).data).toHaveLength(1);
    await as(at, bob)("GET", `/api/messages/${id}`);
  });

  it("a direct message its two ends alone", async () => {
    const direct = (from: Person, to: Person, fields: object = {}) =>
      as(at, from)("POST", "/api/messages", {
        destination: to.did,
        type: "chat.note.sent",
        payload: { text: "plum" },
        ...fields,
      });
    const first = (await direct(bob, eve)).body.data,
      second = (await direct(eve, bob)).body.data;
    expect([first.sequence, second.sequence, first.channel]).toEqual([1, 2, undefined]);
    for (const who of [bob, eve]) expect((await as(at, who)("GET", `/api/messages/${first.id}`)).status).toBe(200);
    expect((await as(at, ann)("GET", `/api/messages/${first.id}`)).status).toBe(404);
    expect((await at.http("GET", `/api/messages/${first.id}`)).status).toBe(404);
    expect((await read(eve, `?destination=${eve.did}`)).data.map(({ id }: any) => id)).toEqual([first.id]);
    expect(await read(ann, "?type=chat.note.sent")).toMatchObject({ data: [], meta: { total: 0 } });
    expect((await ack(bob, first.id)).status).toBe(403);
    const acknowledged = (await ack(eve, first.id)).body.data.acknowledgedAt;
    expect((await ack(eve, first.id)).body.data.acknowledgedAt).toBe(acknowledged);
    expect((await read(bob, `/${first.id}`)).data.acknowledgedAt).toBe(acknowledged);
    expect((await direct(bob, eve, { problemSetId: set })).body.error.details[0].path).toBe("problemSetId");
  });

  it("is told of on the sockets of the two, and goes into the export of both", async () => {
    const [there, elsewhere] = await Promise.all([eve, ann].map(({ token }) => connect(at.url, { auth: { token } })));
    const { id } = (
      await as(at, bob)("POST", "/api/messages", {
        destination: eve.did,
        type: "chat.note.sent",
        payload: { text: "medlar" },
      })
    ).body.data;
    const told = await eventually(
      () => there!.of("message.published"),
      (all) => all.some(({ data }) => data.id === id),
    );
    expect(JSON.stringify(told)).not.toContain("medlar");
    expect(elsewhere!.of("message.published")).toEqual([]);
    for (const client of [there!, elsewhere!]) client.socket.close();
    const held = async ({ userId }: Person, heading: string) =>
      ((await at.call("messages.personal:gather", { userId }, actor("analyst", { userId })))[heading] ?? []).map(
        ({ payload }: any) => payload.text,
      );
    expect(await held(bob, "Messages you published")).toContain("medlar");
    expect(await held(eve, "Messages sent to you")).toContain("medlar");
    expect(await held(ann, "Messages sent to you")).toEqual([]);
  });

  it("training apart from operations", async () => {
    const line = channel({}),
      bobs = await connect(at.url, { auth: { token: bob.token } });
    await line.publish(eve, { payload: { text: "for real" } });
    expect((await as(at, eve)("PUT", "/api/user-mode", { mode: "training" })).status).toBe(200);
    expect(await line.shown(eve)).toBeUndefined();
    const { sequence, id } = (await line.publish(eve)).body.data;
    expect(sequence).toBe(1);
    const note = (
      await as(at, eve)("POST", "/api/messages", { destination: bob.did, type: "chat.note.sent", payload: {} })
    ).body.data;
    await as(at, eve)("PUT", "/api/user-mode", { mode: "operational" });
    for (const who of [eve, bob])
      for (const one of [id, note.id]) expect((await as(at, who)("GET", `/api/messages/${one}`)).status).toBe(404);
    // What comes later over the same line was heard: what did not come before it was not sent.
    const later = (
      await as(at, eve)("POST", "/api/messages", { destination: bob.did, type: "chat.note.sent", payload: {} })
    ).body.data;
    const told = await eventually(
      () => bobs.of("message.published").map(({ data }) => data.id),
      (ids) => ids.includes(later.id),
    );
    expect(told).not.toContain(note.id);
    bobs.socket.close();
  });

  it("ends with the access, streams too, and an archived set is read and acknowledged, not written", async () => {
    const [dan, other] = [await person(at, "dan"), await openSet(at, ann)];
    await admit(at, other, dan, "analyst");
    const line = channel({ problemSetId: other });
    await line.subscribe(dan);
    const open = line.stream(dan);
    const { id } = (await line.publish(dan)).body.data;
    expect((await take(open, 1))[0]!.data.id).toBe(id);
    await as(at, ann)("POST", `/api/problem-sets/${other}/members/${encodeURIComponent(dan.did)}/suspend`, {});
    expect((await take(open, 1))[0]).toMatchObject({ event: "error", data: { error: { code: "NOT_FOUND" } } });
    await as(at, ann)("POST", `/api/problem-sets/${other}/members/${encodeURIComponent(dan.did)}/unsuspend`, {});
    await as(at, ann)("DELETE", `/api/problem-sets/${other}`);
    expect((await line.publish(dan)).body.error.code).toBe("ARCHIVED");
    expect((await ack(dan, id)).status).toBe(200);
    expect((await line.next(dan)).status).toBe(200);
  });
});

describe("reading", () => {
  it("by filters, by page and by cursor, and a thread in its order", async () => {
    const line = channel();
    const sent = [];
    for (let n = 0; n < 5; n++)
      sent.push(
        (
          await line.publish(n % 2 ? ann : bob, {
            correlationId: "the-thread",
            priority: n === 3 ? "flash" : "routine",
            destination: n === 4 ? cleo.did : undefined,
            type: n === 2 ? "test.other.sent" : "test.thread.sent",
          })
        ).body.data,
      );
    const ids = sent.map(({ id }) => id);
    expect((await read(cleo, "/thread/the-thread")).data.map(({ id }: any) => id)).toEqual(ids);
    const some = async (query: string) => {
      const { data, meta } = await read(cleo, `?correlationId=the-thread&${query}`);
      return [meta.total, data.map(({ id }: any) => ids.indexOf(id))];
    };
    expect(await some(`source=${ann.did}`)).toEqual([2, [3, 1]]);
    expect(await some(`destination=${cleo.did}`)).toEqual([1, [4]]);
    expect(await some("type=test.other.sent")).toEqual([1, [2]]);
    expect(await some("priority=flash")).toEqual([1, [3]]);
    expect(await some(`problemSetId=${set}&channel=${sent[0].channel}`)).toEqual([5, [4, 3, 2, 1, 0]]);
    expect(await some(`to=${new Date(Date.parse(sent[0].publishedAt) - 1).toISOString()}`)).toEqual([0, []]);
    expect(
      (await read(cleo, "?correlationId=the-thread&limit=2&page=2")).data.map(({ id }: any) => ids.indexOf(id)),
    ).toEqual([2, 1]);
    expect(await some(`from=${sent[4].publishedAt}&to=${sent[4].publishedAt}`)).toEqual([1, [4]]);
    const together = await Promise.all(
      Array.from({ length: 20 }, () => line.publish(bob, { correlationId: "at-once" })),
    );
    expect((await read(cleo, "/thread/at-once")).data.map(({ sequence }: any) => sequence)).toEqual(
      together.map(({ body }) => body.data.sequence).sort((one, other) => one - other),
    );
    const seen = [];
    for (let cursor = ""; ;) {
      const { data, meta } = await read(cleo, `?correlationId=the-thread&limit=2${cursor}`);
      seen.push(...data.map(({ id }: any) => ids.indexOf(id)));
      if (!meta.next) break;
      cursor = `&cursor=${meta.next}`;
    }
    expect(seen).toEqual([4, 3, 2, 1, 0]);
  });

  it("lists what is published later before what was there, though the clock was set back between", async () => {
    const line = channel(),
      sent: string[] = [];
    const send = async (): Promise<void> => {
      sent.unshift((await line.publish(bob, { correlationId: "set-back" })).body.data.id);
    };
    at.clock.leap(3 * 3_600_000);
    for (let n = 0; n < 3; n++) await send();
    at.clock.leap(-3 * 3_600_000);
    for (let n = 0; n < 7; n++) await send();
    const pages = [];
    for (const page of [1, 2, 3, 4])
      pages.push(...(await read(cleo, `?correlationId=set-back&limit=3&page=${page}`)).data);
    expect(pages.map(({ id }: any) => id)).toEqual(sent);
  });

  it("statistics that add up, for what one may see", async () => {
    const other = await openSet(at, ann);
    const line = inChannel(at, "counted", { problemSetId: other });
    const before = (await read(ann, "/stats")).data;
    await line.subscribe(ann, { ackWaitSeconds: 1, mostDeliveries: 2 });
    for (const priority of ["routine", "routine", "flash"]) await line.publish(ann, { priority, type: "count.me.in" });
    await line.next(ann, 2);
    at.clock.advance(1_100);
    const [{ id }] = (await line.next(ann, 1)).body.data;
    await ack(ann, id);
    const { data } = await read(ann, "/stats");
    expect([
      data.published - before.published,
      data.byType["count.me.in"],
      data.byPriority.flash - (before.byPriority.flash ?? 0),
      data.lastMinute >= 3,
    ]).toEqual([3, 3, 1, true]);
    expect([
      data.mine.delivered - before.mine.delivered,
      data.mine.redelivered - before.mine.redelivered,
      data.mine.acknowledged - before.mine.acknowledged,
      data.mine.waiting - before.mine.waiting,
    ]).toEqual([2, 1, 1, 2]);
    expect((await read(eve, "/stats")).data.byType["count.me.in"]).toBeUndefined();
  });
});

describe("a channel comes to be", () => {
  const made = () => at.mesh.world.documents.collection(Channel.collection);
  const subscribing = async (as_: string, name: string, place: object = {}) =>
    (await at.http("POST", `/api/messages/channels/${name}/subscribe`, { as: as_, body: place })).status;

  it("by those who may publish in it, and in no archived set", async () => {
    const count = await (await made()).count();
    expect(await subscribing(cleo.token, "made.by-an-observer", { problemSetId: set })).toBe(404);
    expect(await subscribing("reader", "made.by-a-reader")).toBe(404);
    const closed = await openSet(at, ann);
    const old = inChannel(at, "old", { problemSetId: closed });
    await old.publish(ann);
    await as(at, ann)("DELETE", `/api/problem-sets/${closed}`);
    expect((await inChannel(at, "new", { problemSetId: closed }).subscribe(ann)).body.error.code).toBe("ARCHIVED");
    expect((await old.subscribe(ann)).status).toBe(201);
    expect(await (await made()).count()).toBe(count + 1);
    // What is there, those who may only read subscribe to.
    expect(await subscribing(bob.token, "made.by-a-planner", { problemSetId: set })).toBe(201);
    expect(await subscribing(cleo.token, "made.by-a-planner", { problemSetId: set })).toBe(201);
  });

  it("as often as a place, and a person, bear, however many ask at once", async () => {
    const [dora, full] = [await person(at, "dora"), await openSet(at, ann)];
    const planted = (createdBy: string, count: number, place: object) =>
      made().then((channels) =>
        channels.insertMany(
          Array.from({ length: count }, (_, n) => ({
            _id: `planted-${createdBy}-${n}`,
            channel: `planted-${n}`,
            compartments: [],
            createdBy,
            ...place,
          })),
        ),
      );
    await planted("somebody", MOST_IN_PLACE - 1, { problemSetId: full });
    const first = await Promise.all(
      [1, 2, 3].map((n) => inChannel(at, `one.more.${n}`, { problemSetId: full }).publish(ann)),
    );
    expect(first.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
    expect(first.find(({ status }) => status === 422)!.body.error).toMatchObject({
      code: "TOO_MANY_CHANNELS",
      message: expect.stringContaining(`${MOST_IN_PLACE} channels`),
    });
    await planted(dora.userId, MOST_BY_PERSON - 1, { problemSetId: "elsewhere" });
    const begun = await Promise.all(
      [ann, bob, cleo].map(({ did }) =>
        as(at, dora)("POST", "/api/messages", { destination: did, type: "a.b", payload: {} }),
      ),
    );
    expect(begun.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
    expect((await inChannel(at, "planted-1", { problemSetId: set }).publish(bob)).status).toBe(201);
  });
});

it("its events stand in the AsyncAPI document", async () => {
  const { body } = await at.http("GET", "/api/asyncapi.json");
  expect(Object.keys(body.channels["messages.channels.stream"].messages)).toEqual(
    expect.arrayContaining(["message.published", "message.redelivered", "message.skipped", "message.trimmed"]),
  );
  expect(body.channels.live.messages["message.published"]).toBeDefined();
});
