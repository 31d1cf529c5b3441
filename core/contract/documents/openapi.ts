import { z } from "zod";
import { PREFIX, published, type PublishedEndpoint } from "../catalogue.ts";
import { isShape, type MeshService } from "../endpoint.ts";
import { ORDER } from "../../records/entity.ts";
import { headerSchema } from "../headers.ts";
import { MULTIPART } from "../input/upload.ts";
import { atOnce, type Steps } from "../../work/turns.ts";
import { Components, type Json, SECURITY } from "./openapi-components.ts";
import { GUIDE } from "./openapi-guide.ts";
import { HEADER_COMPONENTS, responsesOf } from "./openapi-responses.ts";
import { webhooks } from "./openapi-webhooks.ts";

const SHORT: Readonly<Record<string, string>> = { dao: "DAO", rfi: "RFI", env: "environment", sub: "subscription" };

/**
 * What an id in a path is of, where its schema does not say: of the record that is loaded by it; else `gateId` is a
 * gate's, and `id` is of what the segment before it counts, as in `/passkeys/{id}`. Undefined for what is no id.
 */
function wordsOf(name: string, { path, contract: { on, by = "id", within } }: PublishedEndpoint): string | undefined {
  // What a set has one of, as its panel layout, lies under the set's own id.
  if (on && name === by && within?.set === name) return "Id of the problem set.";
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
      : `Only those with this \`${name}\`.`;

/** Whether a write that reads its record itself goes by its revision: it says so by the errors of that. */
const isConditional = ({ errors = {} }: PublishedEndpoint["contract"]): boolean => 412 in errors || 428 in errors;

function parametersOf(endpoint: PublishedEndpoint, components: Components): Json[] {
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
    ...(method !== "GET" && (on || isConditional(contract)) ? [{ $ref: "#/components/parameters/IfMatch" }] : []),
    ...(contract.inflates ? [CONTENT_ENCODING] : []),
    ...(contract.returns.events ? [{ $ref: "#/components/parameters/LastEventId" }] : []),
  ];
  return [...named, ...asked, ...headers];
}

function formsOf(forms: readonly z.ZodType[], components: Components): Json {
  const [first, ...others] = forms.map((form) => components.of(form, "input"));
  return others.length ? { oneOf: [first, ...others] } : first!;
}

function bodyOf({ method, contract }: PublishedEndpoint, components: Components): Json | undefined {
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
        schema: formsOf(forms ?? [schema], components),
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

/** A step for what is asked, one for what is sent and one for what is answered: large schemas take long each. */
function* operation(endpoint: PublishedEndpoint, components: Components): Steps<Json> {
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

/** Headers that many operations take. */
const PARAMETERS: Json = {
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
};

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
      description: GUIDE,
      license: { name: "Proprietary", url: "about:blank" },
    },
    servers: [{ url }],
    tags: all
      .filter(({ name }) => endpoints.some(({ service }) => service === name))
      .map(({ name, metadata }) => ({ name, ...(metadata?.description && { description: metadata.description }) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
    security: Object.keys(SECURITY).map((name) => ({ [name]: [] })),
    paths,
    webhooks: webhooks(all, components),
    components: {
      schemas: components.schemas,
      responses: components.responses,
      headers: HEADER_COMPONENTS,
      securitySchemes: SECURITY,
      parameters: PARAMETERS,
    },
    "x-prefix": PREFIX,
  };
}
