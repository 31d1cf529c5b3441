import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { Readable } from "node:stream";
import type { Actor } from "../../core/access/access.ts";
import type { StreamEvent } from "../../core/contract/answer.ts";
import { Streams, type Following } from "../../services/gateway/live/streams.ts";
import { eventually } from "../mesh.ts";

// A client that does not read what it is sent: the sockets' buffers fill, and the stream waits for it.

const EVENT: StreamEvent = { event: "news", data: { text: "x".repeat(32_768) } };
let server: Server, streams: Streams, client: Socket;
let res: ServerResponse | undefined, following: Promise<void>;
let opened = 0;
let left: string[], ids: string[];
let actor: Actor;
let source: () => Readable;

const endless = (): Readable =>
  Readable.from(
    (function* () {
      for (;;) yield EVENT;
    })(),
    { objectMode: true, highWaterMark: 2 },
  );

beforeEach(async () => {
  streams = new Streams(20);
  opened = 0;
  actor = { userId: "u1", permits: ["a:read"], roles: [], via: "jwt" };
  source = endless;
  ids = [];
  res = undefined;
  const gone: string[] = (left = []);
  const parts: Omit<Following, "res"> = {
    requestId: "r1",
    head: false,
    actor,
    lastEventId: undefined,
    contentType: "text/event-stream",
    identify: async () => actor,
    open: async (_actor, _last, id) => {
      opened++;
      ids.push(id);
      return source();
    },
    abandon: (id) => {
      gone.push(id);
    },
  };
  server = createServer((_req, answer) => {
    res = answer;
    following = streams.follow({ ...parts, res: answer });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  client = connect((server.address() as AddressInfo).port, "127.0.0.1").pause();
  client.write("GET / HTTP/1.1\r\nHost: here\r\n\r\n");
  await eventually(async () => res?.writableNeedDrain, Boolean);
});
afterEach(async () => {
  client.destroy();
  await following;
  server.close();
});

it("is waited for without anything piling up, and goes on when it reads", async () => {
  const answer = res!;
  const before = answer.listenerCount("close"),
    waiting = answer.writableLength;
  let read = 0;
  client.on("data", (chunk) => {
    read += chunk.length;
  });
  client.resume();
  await eventually(
    async () => read,
    (bytes) => bytes > 64 * 32_768,
  );
  client.pause();
  await eventually(async () => answer.writableNeedDrain, Boolean);
  expect(answer.listenerCount("close")).toBeLessThanOrEqual(before + 1);
  expect(answer.writableLength).toBeLessThanOrEqual(2 * waiting);
  expect(streams.size).toBe(1);
});

it("does not keep a node from stopping", async () => {
  streams.close();
  await following;
  expect(streams.size).toBe(0);
  expect(left).toContain(ids[0]);
});

it("does not keep a change of its access from being seen to", async () => {
  streams.changed("somebody else");
  expect(opened).toBe(1);
  streams.changed("u1");
  await eventually(
    async () => opened,
    (times) => times === 2,
  );
  expect(left).toEqual([ids[0]]);
  expect(new Set([...ids, "r1"]).size).toBe(3);
});

it("is forgotten when it goes", async () => {
  client.destroy();
  await following;
  expect(streams.size).toBe(0);
  streams.changed("u1");
  expect(opened).toBe(1);
});

/** What a client that reads is told to the end of its stream. */
async function heard(): Promise<string> {
  let text = "";
  client.on("data", (chunk) => {
    text = (text + chunk).slice(-1_000);
  });
  client.resume();
  await following;
  await eventually(
    async () => text,
    (said) => said.includes("event: error") || said.includes("event: done"),
  );
  return text;
}
const broken = (): Readable => {
  const one = new Readable({ objectMode: true, read() {} });
  one.push(EVENT);
  setImmediate(() => one.destroy(new Error("Stream closed by its node")));
  return one;
};

it.each([
  ["its node goes", broken],
  ["it ends before its end", () => Readable.from([EVENT])],
])("says that it was cut off where %s", async (_how, cut) => {
  source = cut;
  streams.changed("u1");
  const text = await heard();
  expect(text).toContain('"code":"STREAM_INTERRUPTED"');
  expect(text).toContain('"requestId":"r1"');
  expect(text).not.toContain("event: done");
});

it("is opened anew, without a hint, once its reader is found to be somebody else than they were", async () => {
  source = () => Readable.from([EVENT, { event: "done", data: {} }]);
  actor = { ...actor, permits: [] };
  expect(await heard()).toContain("event: done");
  expect(opened).toBe(2);
});

it("ends, without a hint, once its reader is found to be nobody", async () => {
  const noActor = undefined as unknown as Actor;
  actor = noActor;
  expect(await heard()).toContain('"code":"UNAUTHENTICATED"');
  expect(opened).toBe(1);
});
