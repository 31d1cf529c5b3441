import { z } from "zod";
import { PREFIX, published, type Published } from "../catalogue.ts";
import { isShape, type MeshService } from "../endpoint.ts";
import { ORDER } from "../../records/entity.ts";
import { headerSchema } from "../headers.ts";
import { MULTIPART } from "../input/upload.ts";
import { atOnce, type Steps } from "../../work/turns.ts";
import { Components, type Json, SECURITY } from "./openapi-components.ts";

const USUAL: Record<string, string> = {
  400: "The request does not fit its schema; `details` names each field.",
  401: "No credential, or one that is not valid.",
  403:
    "The caller may not do this, or the request came from another site under a session cookie, or names a DID " +
    "that is not the caller's.",
  404: "There is no such record, or the caller may not see it.",
  409: "The record's state, another record or a concurrent change forbids it.",
  412: "`If-Match` names a revision that is not the current one.",
  413: "The body is larger than this endpoint takes.",
  415: "The body's media type is not one this endpoint takes.",
  428: "`If-Match` with the revision that the change is based on is required.",
  429: "Too many requests; `Retry-After` says when to come back.",
  500: "An internal error occurred.",
  507: "The disk is full; reading still works.",
  503: "Overloaded, an upstream is unavailable, or the feature is not configured; `code` says which.",
};

const SHORT: Readonly<Record<string, string>> = { dao: "DAO", rfi: "RFI", env: "environment", sub: "subscription" };

/**
 * What an id in a path is of, where its schema does not say: of the record that is loaded by it; else `gateId` is a
 * gate's, and `id` is of what the segment before it counts, as in `/passkeys/{id}`. Undefined for what is no id.
 */
function wordsOf(name: string, { path, contract: { on, by = "id" } }: Published): string | undefined {
  if (on && name === by && on.title !== on.name) return `Id of the ${on.title}.`;
  const [, before = ""] = new RegExp(`([\\w-]+)/:${name}(?:/|$)`).exec(path) ?? [];
  const noun = name === "id" ? before.replace(/ies$/, "y").replace(/s$/, "") : /^(\w+)Id$/.exec(name)?.[1];
  const words = noun?.replace(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`).replaceAll("-", " ");
  return words && `Id of the ${SHORT[words] ?? words}.`;
}

/** What an optional parameter of a query that does not say what it does: a filter by one field, or the usual order. */
const filtering = (name: string): string =>
  name === "sort"
    ? ORDER
    : name === "problemSetId"
      ? "Only what lies in this problem set."
      : `Only those whose \`${name}\` is this.`;

function parametersOf(endpoint: Published, components: Components): Json[] {
  const { method, path, contract } = endpoint;
  const { on, by = "id", path: segments = {}, query = {} } = contract;
  const inPath: Record<string, z.ZodType> = { ...(on && { [by]: on.id }), ...(segments as object) };
  const parameter = (name: string, place: "path" | "query", schema: z.ZodType): Json => {
    const required = place === "path" || !schema.safeParse(undefined).success;
    const usual = place === "path" ? wordsOf(name, endpoint) : required ? undefined : filtering(name);
    const { description = usual, ...rest } = components.of(schema, "input");
    return {
      name,
      in: place,
      required,
      ...(description !== undefined && { description }),
      schema: rest,
    };
  };
  const named = [...path.matchAll(/:(\w+)/g)].map(([, name]) => parameter(name!, "path", inPath[name!] ?? z.string()));
  const asked = Object.entries(query).map(([name, schema]) => parameter(name, "query", schema as z.ZodType));
  const headers = [
    ...(method === "POST" ? [{ $ref: "#/components/parameters/IdempotencyKey" }] : []),
    ...(on && method !== "GET" ? [{ $ref: "#/components/parameters/IfMatch" }] : []),
    ...(contract.inflates ? [CONTENT_ENCODING] : []),
    ...(contract.returns.events ? [{ $ref: "#/components/parameters/LastEventId" }] : []),
  ];
  return [...named, ...asked, ...headers];
}

function bodyOf({ method, contract }: Published, components: Components): Json | undefined {
  const { body, forms, media = {}, consumes, binary, example, upload } = contract;
  if (upload) {
    const { properties = {}, required = [] } = components.of(z.strictObject((body ?? {}) as z.ZodRawShape), "input");
    const file = { type: "string", contentMediaType: "application/octet-stream" };
    const schema = {
      type: "object",
      required: [...(required as string[]), upload.file],
      additionalProperties: false,
      properties: { ...(properties as Json), [upload.file]: file },
    };
    return { required: true, content: { [MULTIPART]: { schema } } };
  }
  if (consumes)
    return {
      required: true,
      content: { [consumes]: { schema: { type: "string", ...(binary && { format: "binary" }) } } },
    };
  if (body === undefined || method === "GET" || (isShape(body) && !Object.keys(body).length)) return undefined;
  const schema = isShape(body) ? z.strictObject(body) : body;
  const isOptional = schema.safeParse({}).success;
  // Without an example readers make one of all fields, and who tries a change out of it changes all of them.
  const shown = example ?? (isOptional ? {} : undefined);
  return {
    required: !isOptional,
    content: {
      "application/json": {
        schema: forms ? { oneOf: forms.map((form) => components.of(form, "input")) } : components.of(schema, "input"),
        ...(shown !== undefined && { example: shown }),
      },
      ...Object.fromEntries(
        Object.entries(media).map(([type, { description }]) => [type, { schema: { type: "string", description } }]),
      ),
    },
  };
}

/** What a request says of its body: that it comes compressed. */
const CONTENT_ENCODING: Json = {
  name: "Content-Encoding",
  in: "header",
  required: false,
  description: "The body may be sent with one of these content codings; the size limit applies to the decoded body.",
  schema: { enum: ["gzip", "deflate", "identity"], default: "identity" },
};

/**
 * In OpenAPI 3.1 the schema of a stream describes each of its events; the data of one is JSON in a string (WHATWG HTML
 * §9.2.6).
 */
function eventOf(events: Readonly<Record<string, z.ZodType>>, components: Components): Json {
  const one = (event: string, contentSchema?: Json): Json => ({
    type: "object",
    required: ["event", "data"],
    properties: {
      event: { const: event },
      id: { type: "string" },
      retry: { type: "integer" },
      data: { type: "string", contentMediaType: "application/json", ...(contentSchema && { contentSchema }) },
    },
  });
  return {
    oneOf: [
      ...Object.entries(events).map(([event, schema]) => one(event, components.of(schema, "output"))),
      one("done"),
      one("error", ref("Error")),
    ],
  };
}

function responsesOf(endpoint: Published, components: Components, bodied: boolean): Json {
  const { contract, method, path } = endpoint;
  const { returns, status = 200, permit, on, within, mustMatch, errors = {} } = contract;
  const shape = returns.errors === "success" ? "Failure" : "Error";
  const statuses = new Set<string>(["400", "403", "429", "500", "503", ...Object.keys(errors)]);
  if (permit !== "public") statuses.add("401");
  if (on || within || path.includes(":")) statuses.add("404");
  if (method !== "GET") statuses.add("409").add("507");
  if (on && method !== "GET") statuses.add("412");
  if (mustMatch) statuses.add("428");
  if (bodied || method !== "GET") statuses.add("413").add("415");
  const media = returns.contentType.split(";")[0]!;
  const success: Json = {
    description: status === 204 ? "Done; no body." : status === 202 ? "Accepted; the work goes on." : "Done.",
  };
  if (status !== 204)
    success["content"] = {
      [media]: {
        schema: returns.body
          ? components.of(returns.body, "output")
          : returns.events
            ? eventOf(returns.events, components)
            : { type: "string" },
      },
    };
  const failures = [...statuses].sort().map((code) => [
    code,
    {
      description: [errors[Number(code)], USUAL[code]].filter(Boolean)[0] ?? "Refused.",
      content: {
        "application/json": { schema: code === "429" ? { anyOf: [ref("RateLimited"), ref(shape)] } : ref(shape) },
      },
    },
  ]);
  return {
    [status]: success,
    ...(contract.found && { 200: { ...success, description: "It exists already." } }),
    ...(contract.accepted && { 202: { ...success, description: "Accepted; the work goes on." } }),
    ...(method === "GET" &&
      status === 200 &&
      !returns.events &&
      !returns.pieces && { 304: { description: "Not modified (`If-None-Match`)." } }),
    ...Object.fromEntries(failures),
    431: { description: "The request's line and headers are too large; no body." },
  };
}

const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

/** A step for what is asked, one for what is sent and one for what is answered: large schemas take long each. */
function* operation(endpoint: Published, components: Components): Steps<Json> {
  const { contract, action, service } = endpoint;
  const { summary, description, permit, beyond } = contract;
  const body = bodyOf(endpoint, components);
  yield;
  const parameters = parametersOf(endpoint, components);
  yield;
  const responses = responsesOf(endpoint, components, body !== undefined);
  return {
    operationId: action,
    tags: [service],
    summary,
    ...(description && { description }),
    parameters,
    ...(body && { requestBody: body }),
    responses,
    security: permit === "public" ? [] : Object.keys(SECURITY).map((name) => ({ [name]: [] })),
    "x-permit": permit,
    ...(contract.within && { "x-within": contract.within }),
    ...(contract.stepUp && { "x-step-up": true }),
    ...(beyond && { "x-beyond": true }),
  };
}

/** The OpenAPI 3.1 document of all endpoints, made from the contracts that validate. */
export const openapi = (services: Iterable<MeshService>, of: { version: string; url?: string }): Json =>
  atOnce(openapiInSteps(services, of));

/** The same, a few steps an endpoint: all of them together would hold a gateway's loop for half a second. */
export function* openapiInSteps(
  services: Iterable<MeshService>,
  { version, url = "/" }: { version: string; url?: string },
): Steps<Json> {
  const components = new Components({ named: true });
  const paths: Record<string, Json> = {};
  const all = [...services];
  const endpoints = all
    .flatMap((service) => [...published(service)])
    .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  for (const endpoint of endpoints) {
    const path = (paths[endpoint.path.replace(/:(\w+)/g, "{$1}")] ??= {});
    path[endpoint.method.toLowerCase()] = yield* operation(endpoint, components);
    yield;
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Signalmesh",
      version,
      description:
        "News intelligence and an operations platform behind one gateway. Ids are numbers for sources, " +
        "source lists, articles, briefings and claims, and UUIDv7 text elsewhere. Times are ISO 8601 in " +
        "UTC.",
      license: { name: "Proprietary", url: "about:blank" },
    },
    servers: [{ url }],
    tags: all
      .filter(({ name }) => endpoints.some(({ service }) => service === name))
      .map(({ name, metadata }) => ({ name, ...(metadata?.description && { description: metadata.description }) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
    security: Object.keys(SECURITY).map((name) => ({ [name]: [] })),
    paths,
    components: {
      schemas: components.schemas,
      securitySchemes: SECURITY,
      parameters: {
        IdempotencyKey: {
          name: "Idempotency-Key",
          in: "header",
          required: false,
          description: "A request repeated with the same key takes effect once; the answer is replayed for 24 hours.",
          schema: headerSchema("Idempotency-Key"),
        },
        IfMatch: {
          name: "If-Match",
          in: "header",
          required: false,
          description: "The ETag of the revision you read; 412 if the current revision is another one.",
          schema: headerSchema("If-Match"),
        },
        LastEventId: {
          name: "Last-Event-ID",
          in: "header",
          required: false,
          schema: headerSchema("Last-Event-ID"),
          description: "The id of the last event that you have; the stream continues after it.",
        },
      },
    },
    "x-prefix": PREFIX,
  };
}
