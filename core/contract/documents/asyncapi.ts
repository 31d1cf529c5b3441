import { z } from "zod";
import { MODES } from "../../access/training-mode.ts";
import { published, type PublishedEndpoint } from "../catalogue.ts";
import type { DomainParts, MeshService } from "../endpoint.ts";
import type { LiveType } from "../live.ts";
import { Components } from "./openapi-components.ts";
import { FAILED } from "../answering/stream.ts";
import { each, type Steps } from "../../work/turns.ts";

type Json = Record<string, unknown>;

/** Every kind of live event that the services declare, by name. Throws TypeError where two share one. */
export function liveTypes(services: Iterable<MeshService>): LiveType[] {
  const types = new Map<string, LiveType>();
  for (const { mixins = [] } of services)
    for (const layer of mixins)
      for (const type of (layer as { domain?: DomainParts }).domain?.live ?? []) {
        if (types.has(type.name) && types.get(type.name) !== type)
          throw new TypeError(`Two live events share the name ${type.name}.`);
        types.set(type.name, type);
      }
  return [...types.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

const ErrorOf = z.object({ code: z.string(), message: z.string() });
/** The topics that any kind of live event is sent to, by name. */
export const topicsOf = (types: readonly LiveType[]): string[] =>
  [...new Set(types.flatMap(({ topics }) => topics))].sort();

const subscriptionTo = ([first, ...more]: readonly string[]): z.ZodType => {
  const set = z.object({ problemSetId: z.string() });
  return first === undefined ? set : z.union([set, z.object({ topic: z.enum([first, ...more]) })]);
};
const Acknowledgement = z.union([
  z.object({ ok: z.literal(true) }),
  z.object({ ok: z.literal(false), error: ErrorOf.extend({ details: z.unknown().optional() }) }),
]);

/** What the gateway itself says on a socket, and what a client says to it. */
const TOLD: Readonly<Record<string, [string, z.ZodType]>> = {
  "live.ready": [
    "You are let in; the first event on every socket",
    z.object({ userId: z.string(), mode: z.enum(MODES) }),
  ],
  "live.unsubscribed": [
    "You are no member of a problem set any longer, and its events have ended",
    z.object({ problemSetId: z.string(), code: z.literal("NOT_FOUND") }),
  ],
  "live.access": [
    "What you may see or do has changed, in a problem set or, without one, on the platform: read anew what you show",
    z.object({ problemSetId: z.string().optional() }),
  ],
  "live.ended": [
    "The last event before the gateway disconnects: `UNAUTHENTICATED`, `GOING_AWAY`, `TEMPORARILY_UNAVAILABLE`",
    ErrorOf,
  ],
};
const ASKED: Readonly<Record<string, string>> = {
  subscribe: "Hear of a problem set you are a member of, or of a topic",
  unsubscribe: "Hear of it no longer",
};

const envelopeOf = (type: LiveType): z.ZodType =>
  z.object({
    id: z.string(),
    time: z.iso.datetime(),
    problemSetId: z
      .string()
      .optional()
      .describe("Where it lies; you hear of it while you are a member and read into all of its compartments."),
    topic: z.string().optional(),
    data: type.payload,
  });

const keyOf = (name: string): string => name.replace(/[^\w.-]/g, "-");
const security = [
  { $ref: "#/components/securitySchemes/bearer" },
  { $ref: "#/components/securitySchemes/apiKey" },
  { $ref: "#/components/securitySchemes/session" },
];

function messageOf(components: Components, name: string, summary: string, payload: z.ZodType, more: Json = {}): Json {
  return {
    name,
    title: name,
    summary,
    contentType: "application/json",
    payload: components.of(payload, "output"),
    ...more,
  };
}

interface Channel {
  channel: Json;
  operations: Json;
}

function* liveChannel(types: readonly LiveType[], components: Components): Steps<Channel> {
  const channel = "#/channels/live";
  const subscription = subscriptionTo(topicsOf(types));
  const sent = yield* each(
    types,
    (type) =>
      [
        type.name,
        messageOf(components, type.name, type.summary, envelopeOf(type), {
          "x-permit": type.permit,
          "x-scope": `${type.domain}:read`,
          ...(type.may && { "x-may": type.may }),
          ...(type.topics.length && { "x-topics": type.topics }),
        }),
      ] as const,
  );
  const told = Object.entries(TOLD).map(
    ([name, [summary, payload]]) => [name, messageOf(components, name, summary, payload)] as const,
  );
  const asked = Object.entries(ASKED).map(
    ([name, summary]) => [name, messageOf(components, name, summary, subscription)] as const,
  );
  const ref = (name: string): Json => ({ $ref: `${channel}/messages/${keyOf(name)}` });
  const operations = Object.fromEntries([
    ...[...sent, ...told].map(([name, { summary }]) => [
      `send.${keyOf(name)}`,
      { action: "send", channel: { $ref: channel }, summary, messages: [ref(name)], security },
    ]),
    ...asked.map(([name, { summary }]) => [
      `receive.${name}`,
      {
        action: "receive",
        channel: { $ref: channel },
        summary,
        messages: [ref(name)],
        security,
        reply: { channel: { $ref: channel }, messages: [ref("acknowledgement")] },
      },
    ]),
  ]);
  const messages = Object.fromEntries(
    [
      ...sent,
      ...told,
      ...asked,
      [
        "acknowledgement",
        messageOf(
          components,
          "acknowledgement",
          "How a request went: the acknowledgement of its event",
          Acknowledgement,
        ),
      ] as const,
    ].map(([name, message]) => [keyOf(name), message]),
  );
  return {
    channel: {
      address: "/live",
      title: "Live",
      servers: [{ $ref: "#/servers/live" }],
      messages,
      description:
        "Namespace `/live` of socket.io at `/socket.io`. The credential is that of REST: cookie, " +
        "`Authorization`, `X-API-Key`, or `auth: {token}` or `auth: {apiKey}` of the handshake. Who may " +
        "hear an event is judged at its delivery, and again for every open socket whenever somebody's " +
        "access changes.",
    },
    operations,
  };
}

function streamChannel({ action, path, contract }: PublishedEndpoint, components: Components): Channel {
  const key = keyOf(action);
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
  const events = Object.entries(contract.returns.events!).map(
    ([name, payload]) => [name, messageOf(components, name, `${contract.summary}: ${name}`, payload)] as const,
  );
  const messages = {
    ...Object.fromEntries(events),
    done: messageOf(components, "done", "The stream came to its end", z.object({})),
    [FAILED]: messageOf(
      components,
      FAILED,
      "The stream broke, or you may not follow it any longer",
      z.object({ error: ErrorOf.extend({ details: z.unknown().optional(), requestId: z.string() }) }),
    ),
  };
  return {
    channel: {
      address: path.replace(/:(\w+)/g, "{$1}"),
      title: contract.summary,
      servers: [{ $ref: "#/servers/events" }],
      messages,
      description:
        `Server-sent events. ${contract.description ?? ""} A comment each 15 seconds; \`Last-Event-ID\` ` +
        `resumes. Only what came to its end ends with \`done\`; what was cut off, with the error ` +
        `\`STREAM_INTERRUPTED\`, or by breaking off.`,
      ...(names.length && { parameters: Object.fromEntries(names.map((name) => [name, {}])) }),
    },
    operations: {
      [`send.${key}`]: {
        action: "send",
        channel: { $ref: `#/channels/${key}` },
        summary: contract.summary,
        messages: Object.keys(messages).map((name) => ({ $ref: `#/channels/${key}/messages/${name}` })),
        ...(contract.permit !== "public" && { security }),
      },
    },
  };
}

/**
 * The AsyncAPI 3.0 document of what is pushed: live events over socket.io and streams of server-sent events, made from
 * their declarations; a step for each of them. `url` is the gateway's.
 */
export function* asyncapiInSteps(
  all: Iterable<MeshService>,
  { version, url }: { version: string; url: string },
): Steps<Json> {
  const services = [...all];
  const components = new Components();
  const { host, protocol } = new URL(url);
  const secure = protocol === "https:";
  const live = yield* liveChannel(liveTypes(services), components);
  const followed = services
    .flatMap((service) => [...published(service)])
    .filter(({ contract }) => contract.returns.events);
  const streams = yield* each(followed, (one) => [keyOf(one.action), streamChannel(one, components)] as const);
  return {
    asyncapi: "3.0.0",
    info: {
      title: "Signalmesh",
      version,
      description: "What the platform pushes. What is asked of it is described by OpenAPI at /api/openapi.json.",
      license: { name: "Proprietary", url: "about:blank" },
    },
    defaultContentType: "application/json",
    servers: {
      live: {
        host,
        pathname: "/socket.io",
        protocol: secure ? "wss" : "ws",
        description: "socket.io, protocol revision 5",
        security,
      },
      events: { host, protocol: secure ? "https" : "http", description: "Server-sent events", security },
    },
    channels: { live: live.channel, ...Object.fromEntries(streams.map(([key, { channel }]) => [key, channel])) },
    operations: Object.assign({}, live.operations, ...streams.map(([, { operations }]) => operations)) as Json,
    components: {
      schemas: components.schemas,
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
        apiKey: { type: "httpApiKey", name: "X-API-Key", in: "header" },
        session: { type: "httpApiKey", name: "__Host-sid", in: "cookie" },
      },
    },
  };
}
