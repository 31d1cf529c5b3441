import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { compile } from "json-schema-to-typescript";
import { VERSION } from "../config/version.ts";
import { openapi } from "../core/contract/documents/openapi.ts";
import { allServices } from "../services/index.ts";

/**
 * `npm run console-types`: writes the types of the console's client from our own OpenAPI document, one entry for each
 * operation under `METHOD /path`. `npm run types` does it first, so that the console is checked against the API as it is.
 */
const FILE = join(import.meta.dirname, "../console/api/operations.d.ts");

type Schema = Record<string, any>;
interface Operation {
  summary?: string;
  parameters?: { name?: string; in?: string; required?: boolean; schema?: Schema; $ref?: string }[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

/** Keeps what a type can say; patterns, bounds and examples are the server's to judge. */
const TYPED = [
  "type",
  "enum",
  "const",
  "$ref",
  "required",
  "additionalProperties",
  "properties",
  "items",
  "description",
];
const LISTS = ["anyOf", "oneOf", "allOf", "prefixItems"];

/** `isAnswer`: what has a default is always there in an answer, and need not be sent. */
function typed(schema: Schema, isAnswer: boolean): Schema {
  const kept: Schema = {};
  for (const key of TYPED) if (key in schema) kept[key] = schema[key];
  if (typeof kept["$ref"] === "string")
    return { $ref: kept["$ref"].replace("#/components/schemas/", "#/definitions/") };
  if (kept["properties"]) {
    const entries = Object.entries<Schema>(schema["properties"]);
    kept["properties"] = Object.fromEntries(entries.map(([name, one]) => [name, typed(one, isAnswer)]));
    const given = isAnswer ? entries.filter(([, one]) => "default" in one).map(([name]) => name) : [];
    kept["required"] = [...new Set([...(schema["required"] ?? []), ...given])];
    kept["additionalProperties"] ??= false;
  }
  if (kept["items"]) kept["items"] = typed(schema["items"], isAnswer);
  if (typeof kept["additionalProperties"] === "object")
    kept["additionalProperties"] = typed(schema["additionalProperties"], isAnswer);
  for (const key of LISTS)
    if (schema[key])
      kept[key === "prefixItems" ? "items" : key] = schema[key].map((one: Schema) => typed(one, isAnswer));
  return kept;
}

const object = (properties: Schema, required = Object.keys(properties)): Schema => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

function parametersOf({ parameters = [] }: Operation, place: string): Schema | undefined {
  const here = parameters.filter((one) => one.in === place);
  if (!here.length) return undefined;
  const needed = here.filter(({ required }) => required).map(({ name }) => name!);
  return object(Object.fromEntries(here.map(({ name, schema }) => [name!, typed(schema ?? {}, false)])), needed);
}

/** Of plain JSON, and of its kinds such as JSON-LD. */
const jsonOf = (content: Record<string, { schema: Schema }> | undefined): Schema | undefined =>
  Object.entries(content ?? {}).find(([type]) => /^application\/(?:[\w.-]+\+)?json\b/.test(type))?.[1].schema;

function schemaOf(operation: Operation): Schema {
  const done = Object.entries(operation.responses).find(([status]) => status.startsWith("2"))?.[1];
  const [path, query] = [parametersOf(operation, "path"), parametersOf(operation, "query")];
  const [body, answer] = [jsonOf(operation.requestBody?.content), jsonOf(done?.content)];
  const optional = [
    ...(query && !query["required"].length ? ["query"] : []),
    ...(body && !operation.requestBody?.required ? ["body"] : []),
  ];
  const parts = {
    ...(path && { path }),
    ...(query && { query }),
    ...(body && { body: typed(body, false) }),
    answer: answer ? typed(answer, true) : { type: "null" },
  };
  return {
    ...object(
      parts,
      Object.keys(parts).filter((name) => !optional.includes(name)),
    ),
    ...(operation.summary && { description: operation.summary }),
  };
}

const services = (await allServices()).map(({ service }) => service);
const document = openapi(services, { version: VERSION }) as unknown as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};
const mark = `// ${createHash("sha256").update(JSON.stringify(document)).digest("hex")}`;
const before = await readFile(FILE, "utf8").catch(() => "");
if (!before.startsWith(mark)) {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => ["get", "post", "put", "patch", "delete"].includes(method))
      .map(
        ([method, operation]) =>
          [`${method.toUpperCase()} ${path.replace(/^\/api/, "")}`, schemaOf(operation)] as const,
      ),
  );
  const definitions = Object.entries(document.components.schemas).map(
    ([name, schema]) => [name, typed(schema, false)] as const,
  );
  const text = await compile(
    { ...object(Object.fromEntries(operations)), title: "Operations", definitions: Object.fromEntries(definitions) },
    "Operations",
    {
      bannerComment: `${mark}\n// Made by npm run console-types from the OpenAPI document; not kept in the repository.`,
      format: false,
      unknownAny: true,
      additionalProperties: false,
      ignoreMinAndMaxItems: true,
    },
  );
  await mkdir(dirname(FILE), { recursive: true });
  await writeFile(FILE, text);
}
