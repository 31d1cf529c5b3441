import { Ajv2020 } from "ajv/dist/2020.js";
import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { z } from "zod";
import { ROLES } from "../config/roles.ts";
import { holds } from "../core/access/access.ts";
import { eventsOf, published, type PublishedEndpoint } from "../core/contract/catalogue.ts";
import { isShape, parametersOf } from "../core/contract/endpoint.ts";
import { complaintsAbout } from "../core/contract/input/complaints.ts";
import { NAMES } from "../core/contract/input/names.ts";
import { openapi } from "../core/contract/documents/openapi.ts";
import { eventsIn } from "../core/events/event.ts";
import { allServices } from "../services/index.ts";
import { inFlight } from "./in-flight.ts";
import { filled } from "./routes.ts";
import { world, type TestWorld } from "./mesh.ts";

let endpoints: PublishedEndpoint[];
let document: any;
let it1: TestWorld;

beforeAll(async () => {
  const services = (await allServices()).map(({ service }) => service);
  endpoints = services.flatMap((service) => [...published(service)]);
  document = openapi(services, { version: "0" });
  it1 = await world();
});
afterAll(() => it1.stop());

/** One expectation over every endpoint; the message names those that break it. */
const all = (check: (endpoint: PublishedEndpoint) => boolean | string) =>
  endpoints
    .map((e) => [e, check(e)] as const)
    .filter(([, ok]) => ok !== true)
    .map(([e, why]) => `${e.method} ${e.path}${why ? `: ${why}` : ""}`);

it("each says what it is for", () =>
  expect(all(({ contract }) => /^[A-Z].{6,}[^.]$/.test(contract.summary))).toEqual([]));

/** Fields that people read. What is signed, hashed or kept as it came keeps its white space. */
const WORDS = /^(name|title|label|reason|text|question|statement|note|why|rationale|purpose)$/;
const AS_IT_CAME = /^POST \/api\/(credentials|documents|discovery\/client-discovery)\b|evidence|assertions/;
const INSIDE = ["optional", "nullable", "default", "prefault", "nonoptional"];

/** The texts of a schema that must not be empty and may be any words, by their paths. */
function* textsOf(schema: any, path: string): Generator<string> {
  const { type, shape, element, options, innerType } = schema._zod.def;
  if (type === "object") for (const [name, field] of Object.entries(shape)) yield* textsOf(field, `${path}.${name}`);
  else if (type === "array") yield* textsOf(element, path);
  else if (type === "union") for (const option of options) yield* textsOf(option, path);
  else if (INSIDE.includes(type)) yield* textsOf(innerType, path);
  else if (type === "string" && WORDS.test(path.split(".").at(-1)!)) {
    const takes = (text: string): boolean => schema.safeParse(text).success;
    if (!takes("") && takes("some words") && takes(" ".repeat(12))) yield path;
  }
}

it("where words are asked for, white space alone is none", () =>
  expect(
    endpoints.flatMap(({ method, path, contract: { query, body } }) =>
      [z.object(query ?? {}), body && (isShape(body) ? z.object(body) : body)]
        .flatMap((schema) => (schema ? textsOf(schema, `${method} ${path}`).toArray() : []))
        .filter((field) => !AS_IT_CAME.test(field)),
    ),
  ).toEqual([]));

it("of a moment whose `+` an address lost, the complaint says how it is written", () => {
  const [moment, lost] = ["2026-11-01T00:00:00+02:00", "2026-11-01T00:00:00 02:00"];
  const taken = endpoints.flatMap(({ method, path, contract: { query } }) =>
    Object.entries((query ?? {}) as Record<string, z.ZodType>)
      .filter(([, schema]) => schema.safeParse(moment).success && !schema.safeParse(lost).success)
      .map(([name, schema]) => ({
        where: `${method} ${path} ${name}`,
        told: complaintsAbout(schema.safeParse(lost).error!.issues, schema).map(({ message }) => message),
      })),
  );
  expect(taken.length).toBeGreaterThan(20);
  expect(taken.filter(({ told }) => !told.join().includes("write `%2B`"))).toEqual([]);
});

/** Bodies that hold nothing but one name, for each name that a schema asks for, with the path to it. */
function* namesOf(schema: any, name: string, path: readonly string[] = []): Generator<[string, unknown]> {
  const { type, shape, element, options, innerType, valueType, in: before } = schema._zod.def;
  const within = (inner: any, at: string, put: (value: unknown) => unknown) =>
    namesOf(inner, name, [...path, at]).map(([where, value]): [string, unknown] => [where, put(value)]);
  if (type === "object")
    for (const [key, field] of Object.entries(shape)) yield* within(field, key, (value) => ({ [key]: value }));
  else if (type === "array" && element._zod.def.type !== "string") yield* within(element, "0", (value) => [value]);
  else if (type === "record") yield* within(valueType, "any", (value) => ({ any: value }));
  else if (type === "union") for (const option of options) yield* namesOf(option, name, path);
  else if (type === "pipe") yield* namesOf(before, name, path);
  else if (innerType) yield* namesOf(innerType, name, path);
  else if (type === "string" && NAMES.test(path.at(-1) ?? "")) yield [path.join("."), name];
}

it("a name says what is seen of it: nothing unseen in it, and something seen", () => {
  const named = endpoints.filter(({ method, path }) => method !== "GET" && !/^\/api\/discovery\/client/.test(path));
  const wrong: string[] = [];
  let names = 0;
  for (const [name, complaint] of [
    ["Anna\u202Egnp", "U+202E"],
    ["An\u200Bna", "U+200B"],
    ["Anna\u0007", "U+0007"],
    ["\u2060\u200B\u3164", "Must not be empty."],
  ] as const)
    for (const { method, path, contract } of named) {
      const schema = parametersOf(contract);
      const tried = namesOf(schema, name).toArray();
      names += tried.length;
      for (const [where, body] of tried) {
        const { issues = [] } = schema.safeParse(body).error ?? {};
        if (!issues.some((one) => one.path.join(".") === where && one.message.includes(complaint)))
          wrong.push(`${method} ${path}: ${where}: ${JSON.stringify(name)}`);
      }
    }
  expect(wrong).toEqual([]);
  expect(names).toBeGreaterThan(400);
});

it("each asks for a permit that a role other than system_admin holds, or is its business alone", () => {
  const SYSTEM_ADMIN_ONLY = ["users:administer", "assistant:emergency"];
  const held = (permit: string) =>
    Object.entries(ROLES).some(([role, permits]) => role !== "system_admin" && holds(permits, permit));
  expect(
    all(
      ({ contract: { permit } }) =>
        ["public", "self", "signed-in"].includes(permit) || SYSTEM_ADMIN_ONLY.includes(permit) || held(permit),
    ),
  ).toEqual([]);
});

it("too many requests are told in Document 1's own body by its endpoints, and as an error by all others", async () => {
  const { paths, components } = document;
  for (const { area, service } of await allServices())
    for (const { method, path } of published(service)) {
      const { 429: told } = paths[path.replace(/:(\w+)/g, "{$1}")][method.toLowerCase()].responses;
      const { schema } = (told.$ref ? components.responses[told.$ref.split("/").at(-1)] : told).content[
        "application/json"
      ];
      const name = area === "news" || path === "/api/auth/login" ? "RateLimited" : "Error";
      expect([path, schema.$ref]).toEqual([path, `#/components/schemas/${name}`]);
    }
});

it("no two share a method and path", () => {
  const seen = endpoints.map(({ method, path }) => `${method} ${path.replace(/:\w+/g, "*")}`);
  expect(seen.filter((route, at) => seen.indexOf(route) !== at)).toEqual([]);
});

it("the description covers each, with an operation id of its own", () => {
  const operations = Object.values(document.paths).flatMap((item: any) => Object.values(item)) as any[];
  expect(operations).toHaveLength(endpoints.length);
  expect(new Set(operations.map((operation) => operation.operationId)).size).toBe(operations.length);
});

it("an operation id is `domain.verb`, or `domain.nouns.verb` of a noun beside the domain's own", () => {
  const FORM = /^[a-z][a-z0-9]*(-[a-z]+)*(\.[a-z][A-Za-z]*s)?\.[a-z][A-Za-z]*$/;
  const READS = /^(count|export|get|list|lookUp|search|stream|verify)/;
  expect(
    all(
      ({ action, method }) =>
        (FORM.test(action) && (method !== "GET" || READS.test(action.split(".").at(-1)!))) || action,
    ),
  ).toEqual([]);
});

it("the description is OpenAPI 3.1 whose schemas are JSON Schema 2020-12 and whose references lead somewhere", () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const text = JSON.stringify(document);
  for (const [, name] of text.matchAll(/"#\/components\/([^"]+)"/g))
    expect(name!.split("/").reduce((node: any, part) => node?.[part], document.components)).toBeDefined();
  ajv.addSchema({ $id: "api", ...document });
  for (const name of Object.keys(document.components.schemas))
    expect(() => ajv.compile({ $ref: `api#/components/schemas/${name}` })).not.toThrow();
  expect(document.openapi).toBe("3.1.0");
});

it("says what holds of all endpoints, with what headers answers come, and what is sent to receivers", () => {
  const { info, webhooks, components } = document;
  for (const word of ["Idempotency-Key", "If-Match", "Retry-After", "X-RateLimit", "CORS", "meta.next", "requestId"])
    expect(info.description).toContain(word);
  expect(info.description.split("\n").filter((line: string) => line && !/^(News|\*\*)/.test(line))).toEqual([]);
  expect(Object.keys(webhooks)).toEqual(["briefing.delivered", "briefing.generated", "problem-set.activity"]);
  const { 200: read, 429: limited } = document.paths["/api/articles"].get.responses;
  expect(Object.keys(read.headers)).toEqual(["ETag", "Link"]);
  expect(Object.keys(components.responses[limited.$ref.split("/").at(-1)].headers)).toContain("Retry-After");
});

it("no schema is called as generators call what stands in a field of another: they keep one of the two", () => {
  const { schemas } = document.components;
  const nested = (name: string, { properties = {} }: any): string[] =>
    Object.entries<any>(properties).flatMap(([field, value]) => {
      const own = `${name}${field[0]!.toUpperCase()}${field.slice(1)}`;
      const [inner, called] = value.items ? [value.items, `${own}Item`] : [value, own];
      const isNamed = inner.properties || [inner, ...(inner.anyOf ?? [])].some((one: any) => one.enum?.length > 1);
      return [...(isNamed ? [called] : []), ...nested(called, inner)];
    });
  const made = new Set(Object.entries(schemas).flatMap(([name, schema]) => nested(name, schema)));
  expect(Object.keys(schemas).filter((name) => made.has(name))).toEqual([]);
});

it("whatever is called $ref in the description leads to a part of it: there are programs that follow examples, too", () => {
  const astray: unknown[] = [];
  JSON.stringify(document, (key, value) => {
    if (key === "$ref" && typeof value === "string" && !value.startsWith("#/components/")) astray.push(value);
    return value;
  });
  expect(astray).toEqual([]);
});

it("a body that may have several forms fits the one that it has alone", () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: "api", ...document });
  const at = "/api/resources/telemetry";
  const { schema } = document.paths[at].post.requestBody.content["application/json"];
  const fits = ajv.compile({ ...schema, components: document.components });
  const reading = { resourceId: "truck-7", key: "fuel", value: 70 };
  const bySeries = { resourceId: "truck-7", series: { fuel: [[1_700_000_000_000, 70]] } };
  const senml = [{ bn: "truck-7/", n: "fuel", u: "%", v: 70 }];
  for (const body of [reading, [reading], [], [reading, bySeries], bySeries, senml])
    expect([body, fits(body)]).toEqual([body, true]);
  const single = document.paths["/api/cop/reports"].post.requestBody.content["application/json"].schema;
  expect(single).toMatchObject({ type: "object", properties: { events: { type: "array" } } });
});

it("no schema of the description is made of itself, but for what lies in a field", () => {
  const { schemas } = document.components;
  const made = (node: any): string[] =>
    node === null || typeof node !== "object" || node.type === "object"
      ? []
      : Object.entries(node).flatMap(([key, value]: [string, any]) =>
          key === "$ref" ? [value.split("/").at(-1)] : made(value),
        );
  const reaches = (name: string, seen = new Set<string>()): Set<string> => {
    for (const next of made(schemas[name])) if (!seen.has(next)) reaches(next, seen.add(next));
    return seen;
  };
  expect(Object.keys(schemas).filter((name) => reaches(name).has(name) || !/^[A-Z]/.test(name))).toEqual([]);
});

it("a stream's description is that of its events, their data JSON of a described shape", () => {
  const streams = endpoints.filter(({ contract }) => contract.returns.events);
  expect(streams.length).toBeGreaterThan(0);
  for (const { method, path, contract } of streams) {
    const { schema } =
      document.paths[path.replace(/:(\w+)/g, "{$1}")][method.toLowerCase()].responses[200].content["text/event-stream"];
    expect(schema.oneOf.map(({ properties }: any) => properties.event.const)).toEqual([
      ...Object.keys(contract.returns.events!),
      "done",
      "error",
    ]);
    expect(schema.oneOf[0].properties.data).toMatchObject({
      type: "string",
      contentMediaType: "application/json",
      contentSchema: expect.any(Object),
    });
  }
});

it("each parameter has a name that can be written in an address", () => {
  expect(
    all(({ contract: { path = {}, query = {} } }) =>
      Object.keys({ ...path, ...query }).every((name) => /^[a-z]\w*$/i.test(name)),
    ),
  ).toEqual([]);
});

it("each parameter says what it is, and each domain what it is for", () => {
  const operations = Object.values(document.paths).flatMap((item: any) => Object.values(item)) as any[];
  const silent = operations.flatMap(({ operationId, parameters }) =>
    parameters.filter((one: any) => !one.$ref && !one.description).map((one: any) => `${operationId}: ${one.name}`),
  );
  expect(silent).toEqual([]);
  expect(document.tags.filter(({ description }: any) => !description)).toEqual([]);
});

it("a write that says it goes by a revision takes If-Match, for whoever's client is made of the description", () => {
  const takes = (method: string, path: string): boolean =>
    document.paths[path][method].parameters.some(({ $ref = "" }: any) => $ref.endsWith("/IfMatch"));
  expect(takes("put", "/api/admin/config/llm")).toBe(true);
  expect(takes("get", "/api/admin/config/llm")).toBe(false);
  expect(
    all(
      ({ method, path, contract: { errors = {} } }) =>
        !(412 in errors || 428 in errors) || takes(method.toLowerCase(), path.replace(/:(\w+)/g, "{$1}")),
    ),
  ).toEqual([]);
});

it("each schema of the description has a name of its own", () => {
  const names = globSync(["services/**/*.ts", "core/**/*.ts", "mixins/**/*.ts"]).flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/\.meta\(\{ id: "(\w+)"/g)].map(([, name]) => name!),
  );
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  expect(names.length).toBeGreaterThan(100);
});

it("what each takes in its address fits into the head of a request, escaped", () => {
  const longest = ({ schema = {} }: any): number => (schema.type === "string" ? (schema.maxLength ?? 0) : 0);
  const lengths = Object.entries(document.paths).flatMap(([path, item]: [string, any]) =>
    Object.entries(item).map(([method, { parameters = [] }]: [string, any]) => [
      `${method} ${path}`,
      parameters
        .filter((one: any) => one.in === "query" || one.in === "path")
        .reduce((sum: number, one: any) => sum + longest(one), 0),
    ]),
  );
  expect(lengths.filter(([, length]) => length > 5_000)).toEqual([]);
});

it("each body that cannot be left out has an example, and each example passes its own form", () =>
  expect(
    all(({ contract: { body, upload, consumes, binary, example } }) => {
      if (body === undefined || upload || consumes || binary) return true;
      const form = isShape(body) ? z.strictObject(body) : body;
      if (example === undefined) return form.safeParse({}).success || "no example";
      const { error } = form.safeParse(example);
      return error ? error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ") : true;
    }),
  ).toEqual([]));

it("each body is described with an example, so that nobody tries a change of all fields out", () => {
  const operations = Object.values(document.paths).flatMap((item: any) => Object.values(item)) as any[];
  const bodies = operations.filter(({ requestBody }) => requestBody?.content["application/json"]);
  const bare = bodies.filter(({ requestBody }) => requestBody.content["application/json"].example === undefined);
  expect(bodies.length).toBeGreaterThan(200);
  expect(bare.map(({ operationId }) => operationId)).toEqual([]);
});

it("garbage gets a 4xx that names the field: an unknown query parameter, an unknown body field, a body of another type", async () => {
  const wrong: string[] = [];
  await inFlight(endpoints, async ({ method, path, contract }) => {
    const asked = await it1.http(method, `${filled(path)}?no_such_parameter=1`, {
      body: method === "GET" ? undefined : {},
    });
    if (asked.status >= 500 || asked.status < 400) wrong.push(`${method} ${path}?no_such_parameter ${asked.status}`);
    if (method === "GET" || contract.consumes || !isShape(contract.body)) return;
    const sent = await it1.http(method, filled(path, "999999"), { body: { no_such_field: 1 } });
    if (![400, 404].includes(sent.status)) wrong.push(`${method} ${path} {no_such_field} ${sent.status}`);
    if (sent.status === 400 && !sent.text.includes("no_such_field"))
      wrong.push(`${method} ${path} does not name no_such_field: ${sent.text}`);
    const list = await it1.http(method, filled(path, "999999"), { body: [1] });
    if (![400, 404].includes(list.status)) wrong.push(`${method} ${path} [1] ${list.status}`);
    const text = await it1.http(method, filled(path, "999999"), { raw: "{", type: "application/json" });
    if (![400, 404].includes(text.status)) wrong.push(`${method} ${path} broken JSON ${text.status}`);
    const xml = await it1.http(method, filled(path, "999999"), { raw: "<a/>", type: "application/xml" });
    // Where XML is taken, this one is none of it.
    const refused = contract.media && "application/xml" in contract.media ? 400 : 415;
    if (![refused, 404].includes(xml.status)) wrong.push(`${method} ${path} xml ${xml.status}`);
  });
  expect(wrong).toEqual([]);
}, 300_000);

it("an id that is empty is a mistake in its field, of problem sets too, which are looked for before all else", async () => {
  const wrong: string[] = [];
  const inSets = endpoints.filter(({ contract: { on, within, upload } }) => within && !on && !upload);
  await inFlight(inSets, async ({ method, path, contract: { within, query } }) => {
    const { set } = within!;
    if (path.includes(`:${set}`)) return;
    const isAsked = method === "GET" || set in (query ?? {});
    const reply = await it1.http(method, `${filled(path)}${isAsked ? `?${set}=` : ""}`, {
      ...(!isAsked && { body: { [set]: "" } }),
    });
    const { code, details = [] } = reply.body?.error ?? {};
    if (code !== "VALIDATION_ERROR" || !details.some((one: { path: string }) => one.path === set))
      wrong.push(`${method} ${path} ${reply.text.slice(0, 200)}`);
  });
  expect(inSets.length).toBeGreaterThan(100);
  expect(wrong).toEqual([]);
}, 60_000);

it("every event that reads in an activity is told by a domain, or nobody would hear of it", async () => {
  const told = new Set(eventsOf((await allServices()).map(({ service }) => service)));
  const modules = await Promise.all(
    globSync("services/*/**/*.ts").map((file) => import(resolve(file)) as Promise<object>),
  );
  const reading = eventsIn(...modules).filter(({ activity }) => activity);
  expect(reading.length).toBeGreaterThan(50);
  expect(reading.filter((event) => !told.has(event)).map(({ name }) => name)).toEqual([]);
});

it("no query or body shape lets `$` operators or prototypes through", () => {
  const holes = all(({ contract }) => {
    const shapes = [contract.path, contract.query, isShape(contract.body) ? contract.body : undefined].filter(
      Boolean,
    ) as z.ZodRawShape[];
    for (const shape of shapes)
      for (const [name, schema] of Object.entries(shape)) {
        if ((schema as z.ZodType).safeParse({ $ne: 1 }).success && !contract.body) return `${name} takes an object`;
      }
    return true;
  });
  expect(holes).toEqual([]);
});
