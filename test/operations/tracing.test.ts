import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { ServiceBroker, type Context } from "moleculer";
import { Tracing } from "../../adapters/tracing.ts";
import { lineOf } from "../../adapters/transporter/index.ts";
import { formatTraceParent, parseTraceParent } from "../../core/load/tracing.ts";
import { eventually, world } from "../mesh.ts";
import { itWithRedis, startRedis, type TestRedis } from "../redis.ts";

/**
 * One field of a protobuf message (https://protobuf.dev/programming-guides/encoding/): number, and its bytes or value.
 */
function* fieldsOf(bytes: Buffer): Generator<{ field: number; bytes?: Buffer; value?: bigint }> {
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++]!;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const wire = tag & 7;
    if (wire === 0) yield { field: tag >> 3, value: varint() };
    else if (wire === 1) {
      yield { field: tag >> 3, bytes: bytes.subarray(at, at + 8) };
      at += 8;
    } else if (wire === 5) {
      yield { field: tag >> 3, bytes: bytes.subarray(at, at + 4) };
      at += 4;
    } else {
      const length = Number(varint());
      yield { field: tag >> 3, bytes: bytes.subarray(at, at + length) };
      at += length;
    }
  }
}
const all = (bytes: Buffer, field: number): Buffer[] =>
  [...fieldsOf(bytes)].filter((one) => one.field === field && one.bytes).map((one) => one.bytes!);

interface Span {
  traceId: string;
  spanId: string;
  parentId: string;
  name: string;
  kind: number;
  node: string;
  attributes: Record<string, string>;
}
const pairs = (attributes: Buffer[]): Record<string, string> =>
  Object.fromEntries(
    attributes.map((pair) => [
      all(pair, 1)[0]!.toString(),
      all(all(pair, 2)[0] ?? Buffer.alloc(0), 1)[0]?.toString() ?? "",
    ]),
  );

/** The spans of an OTLP request (opentelemetry-proto, trace/v1). */
const spansOf = (request: Buffer): Span[] =>
  all(request, 1).flatMap((resourceSpans) => {
    const resource = pairs(all(all(resourceSpans, 1)[0]!, 1));
    return all(resourceSpans, 2)
      .flatMap((scope) => all(scope, 2))
      .map((span) => ({
        traceId: all(span, 1)[0]!.toString("hex"),
        spanId: all(span, 2)[0]!.toString("hex"),
        parentId: all(span, 4)[0]?.toString("hex") ?? "",
        name: all(span, 5)[0]!.toString(),
        kind: Number([...fieldsOf(span)].find(({ field }) => field === 6)!.value),
        node: resource["service.instance.id"]!,
        attributes: pairs(all(span, 9)),
      }));
  });

let receiver: Server, endpoint: string, redis: TestRedis | undefined;
const spans: Span[] = [];
let received = Buffer.alloc(0);
beforeAll(async () => {
  receiver = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk);
    const sent = Buffer.concat(chunks);
    const body = req.headers["content-encoding"] === "gzip" ? gunzipSync(sent) : sent;
    received = Buffer.concat([received, body]);
    if (req.url === "/v1/traces") spans.push(...spansOf(body));
    res.writeHead(200, { "content-type": "application/x-protobuf" }).end();
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => receiver.once("listening", resolve));
  endpoint = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  redis = await startRedis();
});
afterAll(async () => {
  receiver.close();
  receiver.closeAllConnections();
  await redis?.stop();
});
beforeEach(() => {
  spans.length = 0;
});

it("reads and writes W3C trace context, and takes nothing else for it", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 24, maxLength: 24 }), fc.boolean(), (bytes, sampled) => {
      const hex = Buffer.from(bytes).toString("hex");
      const parent = { traceId: hex.slice(0, 32), spanId: hex.slice(32), sampled };
      fc.pre(!/^0+$/.test(parent.traceId) && !/^0+$/.test(parent.spanId));
      expect(parseTraceParent(formatTraceParent(parent))).toEqual(parent);
    }),
  );
  fc.assert(
    fc.property(fc.anything(), (value) => {
      expect(parseTraceParent(value)).toBeUndefined();
    }),
  );
  expect(parseTraceParent(`00-${"0".repeat(32)}-00f067aa0ba902b7-01`)).toBeUndefined();
  expect(parseTraceParent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")).toEqual({
    traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
    spanId: "00f067aa0ba902b7",
    sampled: true,
  });
});

/** A broker of its own with a tracer, as a node of a mesh has it. */
function node(nodeID: string, transporter: string | undefined, ratio: number, draw?: () => number) {
  const tracing = new Tracing({
    endpoint,
    serviceName: "signalmesh",
    version: "0",
    nodeId: nodeID,
    ratio,
    ...(draw && { draw }),
  });
  const broker = new ServiceBroker({
    logger: false,
    nodeID,
    namespace: `traces${process.pid}`,
    serializer: "CBOR",
    ...(transporter && lineOf({ TRANSPORTER: transporter }).options),
  } as never);
  broker.middlewares.add(tracing.middleware as never);
  return {
    broker,
    async stop() {
      await broker.stop();
      await tracing.stop();
    },
  };
}
const front = {
  name: "front",
  actions: {
    async ask(ctx: Context) {
      await ctx.call("back.first");
      await ctx.call("back.second", { canary: "canary-parameter" }).catch(() => {});
      return "done";
    },
  },
};
const back = {
  name: "back",
  actions: {
    first: () => "canary-answer",
    second() {
      throw Object.assign(new Error("canary-message"), { code: 500, type: "BROKEN" });
    },
  },
};

itWithRedis(
  "follows a request over two nodes: each call a child of the one that made it",
  async () => {
    const [one, two] = [node("front-node", redis!.url, 1), node("back-node", redis!.url, 1)];
    one.broker.createService(front as never);
    two.broker.createService(back as never);
    await Promise.all([one.broker.start(), two.broker.start()]);
    await one.broker.waitForServices("back");
    const meta = { of: "many calls" };
    await one.broker.call("front.ask", {}, { meta, requestID: "request-1" });
    expect(meta).toEqual({ of: "many calls" });
    await one.stop();
    await two.stop();
    const by = (name: string, at: string, kind: number): Span =>
      spans.find((span) => span.name === name && span.node === at && span.kind === kind)!;
    // Kinds: 2 is SERVER, 3 is CLIENT.
    const root = by("front.ask", "front-node", 2);
    expect(root.parentId).toBe("");
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([root.traceId]));
    for (const name of ["back.first", "back.second"]) {
      const client = by(name, "front-node", 3),
        server = by(name, "back-node", 2);
      expect([client.parentId, server.parentId]).toEqual([root.spanId, client.spanId]);
      expect(server.attributes).toMatchObject({ "rpc.method": name, "request.id": "request-1" });
    }
    expect(by("back.second", "back-node", 2).attributes).toMatchObject({ "error.type": "BROKEN", outcome: "failed" });
    expect(spans).toHaveLength(5);
    expect(received.includes("canary")).toBe(false);
  },
  30_000,
);

it("traces all of a request's calls or none, by one throw of the dice", async () => {
  let throws = 0;
  const one = node("alone", undefined, 0.5, () => (throws++ % 2 ? 0.4 : 0.6));
  for (const service of [front, back]) one.broker.createService(service as never);
  await one.broker.start();
  for (let n = 0; n < 10; n++) await one.broker.call("front.ask");
  await one.stop();
  expect(throws).toBe(10);
  expect(spans.filter(({ name }) => name === "front.ask")).toHaveLength(5);
  expect(spans).toHaveLength(15);
});

it("a whole node sends its traces under the request's id, and none without the setting", async () => {
  const traced = await world({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: "1", NODE_ID: "whole" });
  await traced.http("GET", "/api/sources", { headers: { "x-request-id": "seen-in-the-trace" } });
  await eventually(
    () => spans,
    (seen) =>
      seen.some(({ name, attributes }) => name === "sources.list" && attributes["request.id"] === "seen-in-the-trace"),
  );
  await traced.stop();
  expect(received.includes("correct horse battery staple")).toBe(false);
  spans.length = 0;
  const plain = await world();
  await plain.http("GET", "/api/sources");
  await plain.stop();
  expect(spans).toEqual([]);
}, 60_000);
