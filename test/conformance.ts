import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormatsModule from "ajv-formats";
import { published, type Published } from "../core/contract/catalogue.ts";
import type { MeshService } from "../core/contract/endpoint.ts";
import { openapi } from "../core/contract/openapi.ts";
import { Router } from "../services/gateway/http/router.ts";

interface Operation {
  operationId: string;
  responses: Record<string, { content?: Record<string, unknown> }>;
}
/** An operation's part of the OpenAPI document, and what its answers are validated by. */
interface Described {
  template: string;
  operation: Operation;
  ajv: Ajv2020;
  compiled: Map<string, ValidateFunction>;
}

/** Described once for all worlds, and only what a story asks for: the whole document costs a second. */
const described = new WeakMap<object, Described>();

function describedBy(service: MeshService, { method, path, action, contract }: Published): Described {
  const known = described.get(contract);
  if (known) return known;
  const template = path.replace(/:(\w+)/g, "{$1}");
  const document = openapi(
    [{ ...service, mixins: [], actions: { [action]: { handler: Object.assign(() => {}, { contract }) } } }],
    { version: "test" },
  ) as { paths: Record<string, Record<string, Operation>> };
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  (addFormatsModule as unknown as (ajv: unknown) => void)(ajv);
  ajv.addSchema({ $id: "api", ...document });
  const made = { template, operation: document.paths[template]![method.toLowerCase()]!, ajv, compiled: new Map() };
  described.set(contract, made);
  return made;
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
    const { template, operation, ajv, compiled } = found.value();
    const where = `${method} ${template} ${status}`;
    const response = operation.responses[String(status)];
    if (!response) throw new Error(`${where} is not described; body: ${JSON.stringify(body)?.slice(0, 300)}`);
    const media = type?.split(";")[0];
    if (!response.content) {
      if (body !== "") throw new Error(`${where} has a body, the description none`);
      return;
    }
    if (!media || !(media in response.content))
      throw new Error(`${where} came as ${media}, described as ${Object.keys(response.content).join(", ")}`);
    if (media !== "application/json") return;
    let validate = compiled.get(where);
    if (!validate) {
      const pointer = [
        "paths",
        template,
        method.toLowerCase(),
        "responses",
        String(status),
        "content",
        "application/json",
        "schema",
      ]
        .map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")))
        .join("/");
      compiled.set(where, (validate = ajv.compile({ $ref: `api#/${pointer}` })));
    }
    if (!validate(body))
      throw new Error(
        `${where} does not fit its description: ${ajv.errorsText(validate.errors)}; body: ${JSON.stringify(body).slice(0, 500)}`,
      );
  }
}
