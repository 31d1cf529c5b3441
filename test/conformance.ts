import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormatsModule from "ajv-formats";
import { published, type PublishedEndpoint } from "../core/contract/catalogue.ts";
import type { MeshService } from "../core/contract/endpoint.ts";
import { openapi } from "../core/contract/documents/openapi.ts";
import { Router } from "../services/gateway/http/router.ts";

interface Answer {
  content?: Record<string, { schema?: object }>;
}
interface Operation {
  responses: Record<string, Answer & { $ref?: string }>;
}
/** An operation's part of the OpenAPI document, and what its answers are validated by, by status. */
interface Described {
  template: string;
  operation: Operation;
  components: { schemas: object };
  shared: Record<string, Answer>;
  validators: Map<string, ValidateFunction>;
}

// Whether schemas are JSON Schema is told once, of the whole document (contract.test.ts). A validator that runs a few
// times does not repay being made shorter.
const ajv = new Ajv2020({
  strict: false,
  allErrors: true,
  meta: false,
  validateSchema: false,
  code: { optimize: false },
});
(addFormatsModule as unknown as (ajv: unknown) => void)(ajv);

/** Described once for all worlds, and only what a story asks for: the whole document costs a second. */
const described = new WeakMap<object, Described>();
/** By their schema and what it refers to: most refusals of all operations have one. */
const byContent = new Map<string, ValidateFunction>();

function describedBy(service: MeshService, { method, path, action, contract }: PublishedEndpoint): Described {
  const known = described.get(contract);
  if (known) return known;
  const template = path.replace(/:(\w+)/g, "{$1}");
  const { paths, components } = openapi(
    [{ ...service, mixins: [], actions: { [action]: { handler: Object.assign(() => {}, { contract }) } } }],
    { version: "test" },
  ) as {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: object; responses: Record<string, Answer> };
  };
  const operation = paths[template]![method.toLowerCase()]!;
  const { schemas, responses: shared } = components;
  const made = { template, operation, components: { schemas }, shared, validators: new Map() };
  described.set(contract, made);
  return made;
}

function validatorOf(schema: object, components: object): ValidateFunction {
  const whole = { ...schema, components };
  const key = JSON.stringify(whole);
  let validate = byContent.get(key);
  if (!validate) byContent.set(key, (validate = ajv.compile(whole)));
  return validate;
}

/** Holds answers against the OpenAPI document of the same services: every answer of every test passes through here. */
export class Conformance {
  readonly #router = new Router<() => Described>();

  constructor(services: readonly MeshService[]) {
    for (const service of services)
      for (const endpoint of published(service))
        this.#router.add(endpoint.method, endpoint.path, () => describedBy(service, endpoint));
  }

  /** Throws when the answer is not one that the description promises. */
  check(method: string, url: string, status: number, type: string | null, body: unknown): void {
    const path = url.split("?")[0]!.replace(/(.)\/$/, "$1");
    let found;
    try {
      found = this.#router.find(method === "HEAD" ? "GET" : method, path);
    } catch {
      return; // not valid percent-encoding: there is no operation
    }
    if (!found || method === "HEAD" || status === 304) return;
    const { template, operation, components, shared, validators } = found.value();
    const where = `${method} ${template} ${status}`;
    const { [String(status)]: named } = operation.responses;
    const response = named?.$ref ? shared[named.$ref.split("/").at(-1)!] : named;
    if (!response) throw new Error(`${where} is not described; body: ${JSON.stringify(body)?.slice(0, 300)}`);
    const media = type?.split(";")[0];
    if (!response.content) {
      if (body !== "") throw new Error(`${where} has a body, the description none`);
      return;
    }
    if (!media || !(media in response.content))
      throw new Error(`${where} came as ${media}, described as ${Object.keys(response.content).join(", ")}`);
    if (media !== "application/json") return;
    const kind = String(status);
    let validate = validators.get(kind);
    if (!validate)
      validators.set(kind, (validate = validatorOf(response.content["application/json"]!.schema ?? {}, components)));
    if (!validate(body))
      throw new Error(
        `${where} does not fit its description: ${ajv.errorsText(validate.errors)}; body: ${JSON.stringify(body).slice(0, 500)}`,
      );
  }
}
