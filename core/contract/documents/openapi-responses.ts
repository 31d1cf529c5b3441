import { z } from "zod";
import type { PublishedEndpoint } from "../catalogue.ts";
import { hasOwnLimitBody } from "../too-many.ts";
import type { Components, Json } from "./openapi-components.ts";

/** What a refusal is called among the components, and what it means. */
const USUAL: Readonly<Record<string, readonly [name: string, words: string]>> = {
  400: ["Invalid", "The request does not fit its schema; `details` names each field."],
  401: ["Unauthenticated", "No credential, or one that is not valid."],
  403: [
    "Forbidden",
    "The caller may not do this (where a permit is lacking `details` names it and the roles that have it), or the " +
      "request came from another site under a session cookie, or names a DID that is not the caller's.",
  ],
  404: ["NotFound", "There is no such record, or the caller may not see it."],
  406: ["NotAcceptable", "`Accept` names types, and the answer's, `application/json`, is not among them."],
  409: ["Conflict", "The record's state, another record or a concurrent change forbids it."],
  412: ["Stale", "`If-Match` names a revision that is not the current one."],
  413: ["TooLarge", "The body is larger than this endpoint takes."],
  415: ["UnsupportedMediaType", "The body's media type is not one this endpoint takes."],
  428: ["PreconditionRequired", "`If-Match` with the revision that the change is based on is required."],
  429: ["TooManyRequests", "Too many requests; `Retry-After` says when to come back."],
  500: ["Internal", "An internal error occurred."],
  503: ["Unavailable", "Overloaded, an upstream is unavailable, or the feature is not configured; `code` says which."],
  507: ["InsufficientStorage", "The disk is full; reading still works."],
};

const header = (description: string, schema: Json, required = false): Json => ({ description, required, schema });
const count = { type: "integer", minimum: 0 };

/** Headers of answers, by their name among the components. */
export const HEADER_COMPONENTS: Json = {
  ETag: header("What to send as `If-Match` with a change, or as `If-None-Match` to read it again.", { type: "string" }),
  Link: header('`</api/…?page=2>; rel="next"`, while there is another page.', { type: "string" }),
  Location: header("Where the new record can be read.", { type: "string" }),
  IdempotencyReplayed: header("The answer is that of the first request under this `Idempotency-Key`.", {
    const: "true",
  }),
  RateLimitLimit: header("Requests a minute.", count),
  RateLimitRemaining: header("How many of these are left.", count),
  RateLimitReset: header("When they are whole again, in seconds since 1970.", count),
  RetryAfter: header("Seconds to wait before the same request is sent again.", count),
};

const headers = (named: Readonly<Record<string, string>>): Json =>
  Object.fromEntries(Object.entries(named).map(([name, component]) => [name, ref("headers", component)]));
const ref = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` });

const REFUSED: Readonly<Record<string, Json>> = {
  429: headers({
    "Retry-After": "RetryAfter",
    "X-RateLimit-Limit": "RateLimitLimit",
    "X-RateLimit-Remaining": "RateLimitRemaining",
    "X-RateLimit-Reset": "RateLimitReset",
  }),
  503: headers({ "Retry-After": "RetryAfter" }),
  507: headers({ "Retry-After": "RetryAfter" }),
};

type ErrorSchema = "Error" | "Failure" | "RateLimited";

const refusal = (status: string, shape: ErrorSchema, description: string): Json => ({
  description,
  ...(REFUSED[status] && { headers: REFUSED[status] }),
  content: { "application/json": { schema: ref("schemas", shape) } },
});

/** A refusal in this endpoint's own words, else the one it shares with others: written out they were a third of it all. */
function refusalOf(status: string, shape: ErrorSchema, own: string | undefined, components: Components): Json {
  const usual = USUAL[status];
  if (own || !usual) return refusal(status, shape, own ?? "Refused.");
  const name = { Error: usual[0], Failure: `${usual[0]}Failure`, RateLimited: "RateLimitExceeded" }[shape];
  components.responses[name] ??= refusal(status, shape, usual[1]);
  return ref("responses", name);
}

const HEAD_TOO_LARGE = { description: "The request's line and headers are too large; no body." };

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
      one("error", ref("schemas", "Error")),
    ],
  };
}

/** Whether an answer is a list that says by `Link` where it goes on. */
const isPaged = (body: z.ZodType | undefined): boolean => body instanceof z.ZodObject && "meta" in body.shape;

/** An answer that stays the same until something changes says so by a tag: neither a stream nor what comes in pieces. */
const isTagged = ({ method, contract: { status = 200, returns } }: PublishedEndpoint): boolean =>
  method === "GET" && status === 200 && !returns.events && !returns.pieces;

function headersOf(endpoint: PublishedEndpoint): Json | undefined {
  const { method, contract } = endpoint;
  const named = {
    ...(isTagged(endpoint) && { ETag: "ETag" }),
    ...(method === "GET" && isPaged(contract.returns.body) && { Link: "Link" }),
    ...(contract.status === 201 && { Location: "Location" }),
    ...(method === "POST" && { "Idempotency-Replayed": "IdempotencyReplayed" }),
  };
  return Object.keys(named).length ? headers(named) : undefined;
}

function successOf(endpoint: PublishedEndpoint, components: Components): Json {
  const { returns, status = 200 } = endpoint.contract;
  const sent = headersOf(endpoint);
  const success: Json = {
    description: status === 204 ? "Done; no body." : status === 202 ? "Accepted; the work goes on." : "Done.",
    ...(sent && { headers: sent }),
  };
  if (status === 204) return success;
  const schema = returns.body
    ? components.of(returns.body, "output")
    : returns.events
      ? eventOf(returns.events, components)
      : { type: "string" };
  return { ...success, content: { [returns.contentType.split(";")[0]!]: { schema } } };
}

/** The statuses of refusals that an endpoint can answer, in order. */
function refusals({ contract, method, path }: PublishedEndpoint, bodied: boolean): string[] {
  const { permit, on, within, mustMatch, errors = {} } = contract;
  const statuses = new Set<string>(["400", "403", "429", "500", "503", ...Object.keys(errors)]);
  if (permit !== "public") statuses.add("401");
  if (contract.returns.body) statuses.add("406");
  if (on || within || path.includes(":")) statuses.add("404");
  if (method !== "GET") statuses.add("409").add("507");
  if (on && method !== "GET") statuses.add("412");
  if (mustMatch) statuses.add("428");
  if (bodied || method !== "GET") statuses.add("413").add("415");
  return [...statuses].sort();
}

/** The answers of an endpoint by status; `bodied`: whether it takes a body. */
export function responsesOf(endpoint: PublishedEndpoint, components: Components, bodied: boolean): Json {
  const { contract } = endpoint;
  const { returns, status = 200, errors = {} } = contract;
  const shapeOf = (code: string): ErrorSchema => {
    if (code === "429" && hasOwnLimitBody(endpoint.path)) return "RateLimited";
    return returns.errors === "success" ? "Failure" : "Error";
  };
  const success = successOf(endpoint, components);
  return {
    [status]: success,
    ...(contract.found && { 200: { ...success, description: "It exists already." } }),
    ...(contract.accepted && { 202: { ...success, description: "Accepted; the work goes on." } }),
    ...(isTagged(endpoint) && { 304: { description: "Not modified (`If-None-Match`)." } }),
    ...Object.fromEntries(
      refusals(endpoint, bodied).map((code) => [
        code,
        refusalOf(code, shapeOf(code), errors[Number(code)], components),
      ]),
    ),
    431: HEAD_TOO_LARGE,
  };
}
