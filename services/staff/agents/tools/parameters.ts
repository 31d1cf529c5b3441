import { untaken } from "../../../../core/contract/documents/json-schema.ts";
import type { Detail } from "../../../../core/problem.ts";
import type { HttpTool } from "./tools.ts";

const MOST_PROPERTIES = 50;
const NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;
type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A tool's arguments are an object with the named fields only. */
export const closed = (schema: Json): Json => ({
  properties: {},
  ...schema,
  type: "object",
  additionalProperties: false,
});

export const propertiesOf = (schema: Json): string[] => Object.keys((schema["properties"] as Json | undefined) ?? {});
const requiredOf = ({ required }: Json): unknown[] => (Array.isArray(required) ? required : []);

/** Faults in a schema of arguments. */
export function schemaComplaints(schema: Json, path: string): Detail[] {
  if ("type" in schema && schema["type"] !== "object")
    return [{ path: `${path}.type`, message: "A tool's arguments are an object." }];
  if (schema["properties"] !== undefined && !isObject(schema["properties"]))
    return [{ path: `${path}.properties`, message: "An object of schemas." }];
  const names = propertiesOf(schema);
  if (names.length > MOST_PROPERTIES)
    return [{ path: `${path}.properties`, message: `At most ${MOST_PROPERTIES} arguments.` }];
  const odd = names.find((name) => !NAME.test(name));
  if (odd !== undefined) return [{ path: `${path}.properties`, message: "Names are letters, digits and _." }];
  const keyword = untaken(schema);
  return keyword === undefined ? [] : [{ path, message: `The keyword ${keyword} is not carried out here.` }];
}

/** The arguments in the path of an address. */
const pathArguments = (url: string): string[] => [...url.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

/** Host and port of an address, in the form of the list of hosts. */
export const hostOf = (url: URL): string => url.host;

/** Faults in the address of a tool. */
export function addressComplaints(text: string, path: string): Detail[] {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return [{ path, message: "An http or https address." }];
  if (url.username || url.password || url.hash)
    return [{ path, message: "An address without name, password or fragment: secrets are headers." }];
  return [];
}

/** Faults in an HTTP tool: its address, its hosts, and arguments in its path. */
export function httpComplaints({ url, hosts }: HttpTool, schema: Json): Detail[] {
  const wrong = addressComplaints(url, "http.url");
  if (wrong.length) return wrong;
  const outsidePath = /[{}]/.test(url.replace(/^(https?:\/\/[^/?#]*)([^?#]*)/, "$1"));
  if (outsidePath || /^https?:\/\/[^/?#]*[{}]/.test(url))
    return [{ path: "http.url", message: "Arguments stand in the path alone; others go to the query by themselves." }];
  const host = hostOf(new URL(url));
  const fixed = new Set(requiredOf(schema));
  const properties = (schema["properties"] ?? {}) as Record<string, Json>;
  const loose = pathArguments(url).find(
    (name) => !fixed.has(name) || !["string", "integer", "number"].includes(String(properties[name]?.["type"])),
  );
  return [
    ...(hosts.includes(host) ? [] : [{ path: "http.hosts", message: `The address's own host, ${host}, is missing.` }]),
    ...(loose === undefined
      ? []
      : [{ path: "http.url", message: `{${loose}} must be a required argument, a text or a number.` }]),
  ];
}

/** The address of one call. Null where an argument would leave the path, or is no text. */
export function addressFor({ url, method }: HttpTool, given: Json): URL | null {
  const inPath = new Set(pathArguments(url));
  const texts = [...inPath].map((name) => String(given[name]));
  if (texts.some((text) => text === "" || text === "." || text === ".." || !text.isWellFormed())) return null;
  const address = new URL(url.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(given[name]))));
  if (method === "GET")
    for (const [name, value] of Object.entries(given))
      if (!inPath.has(name))
        for (const one of Array.isArray(value) ? value : [value])
          address.searchParams.append(name, typeof one === "object" ? JSON.stringify(one) : String(one));
  return address;
}

/** The body: arguments that are not in the path. */
export const requestBody = ({ url }: HttpTool, given: Json): string => {
  const inPath = new Set(pathArguments(url));
  return JSON.stringify(Object.fromEntries(Object.entries(given).filter(([name]) => !inPath.has(name))));
};

/** Keywords about the form of a value; none of them carries a stranger's text. */
const FORMS = new Set([
  "type",
  "properties",
  "required",
  "items",
  "enum",
  "const",
  "minimum",
  "maximum",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "anyOf",
  "oneOf",
  "allOf",
]);
const LONGEST_WORD = 64;
const isShort = (value: unknown): boolean => typeof value !== "string" || /^[\w .:/-]{0,64}$/.test(value);

/** References are followed to this depth, since a schema may refer to itself or double at each step. */
const DEEPEST_REFERENCE = 8;
const MOST_PARTS = 5_000;
const LOCAL = /^#\/(\$defs|definitions)\/([^/~%]+)$/;

/** The target of a reference within the schema; nothing outside of it is ever fetched. */
function referred(root: Json, { $ref }: Json): unknown {
  const [, where, name] = LOCAL.exec(typeof $ref === "string" ? $ref : "") ?? [];
  const shared = where && root[where];
  return isObject(shared) && Object.hasOwn(shared, name!) ? shared[name!] : undefined;
}

/**
 * The form of a foreign schema without its texts: shown to models, and used to validate arguments. Shared parts are
 * inlined.
 */
export function formOf(root: unknown): Json {
  if (!isObject(root)) return {};
  let parts = 0;
  const form = (schema: unknown, depth: number): Json => {
    if (!isObject(schema) || ++parts > MOST_PARTS) return {};
    const shared = depth < DEEPEST_REFERENCE ? referred(root, schema) : undefined;
    return {
      ...(shared !== undefined && form(shared, depth + 1)),
      ...ownForm(schema, (part) => form(part, depth)),
    };
  };
  return form(root, 0);
}

function ownForm(schema: Json, form: (schema: unknown) => Json): Json {
  const entries = Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
    if (!FORMS.has(key)) return [];
    if (key === "properties" && isObject(value)) {
      const named = Object.entries(value).filter(([name]) => NAME.test(name) && name.length <= LONGEST_WORD);
      return [[key, Object.fromEntries(named.map(([name, one]) => [name, form(one)]))]];
    }
    if (key === "items") return [[key, form(value)]];
    if (Array.isArray(value) && /Of$/.test(key)) return [[key, value.map(form)]];
    if (key === "enum" || key === "const") return [value].flat().every(isShort) ? [[key, value]] : [];
    return [[key, value]];
  });
  return Object.fromEntries(entries);
}
