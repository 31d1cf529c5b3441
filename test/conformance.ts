import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormatsModule from "ajv-formats";
import { published } from "../core/catalogue.ts";
import type { MeshService } from "../core/endpoint.ts";
import { openapi } from "../core/openapi.ts";
import { Router } from "../services/gateway/router.ts";

interface Operation { operationId: string; responses: Record<string, { content?: Record<string, unknown> }> }

/** Holds answers against the OpenAPI document of the same services: every answer of every test passes through here. */
export class Conformance {
  readonly #router = new Router<{ template: string; operation: Operation }>();
  readonly #ajv: Ajv2020;
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor(services: readonly MeshService[]) {
    const document = openapi(services, { version: "test" }) as { paths: Record<string, Record<string, Operation>> };
    this.#ajv = new Ajv2020({ strict: false, allErrors: true });
    (addFormatsModule as unknown as (ajv: unknown) => void)(this.#ajv);
    this.#ajv.addSchema({ $id: "api", ...document });
    for (const { method, path } of services.flatMap((service) => [...published(service)])) {
      const template = path.replace(/:(\w+)/g, "{$1}");
      this.#router.add(method, path, { template, operation: document.paths[template]![method.toLowerCase()]! });
    }
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
    const { template, operation } = found.value;
    const where = `${method} ${template} ${status}`;
    const response = operation.responses[String(status)];
    if (!response) throw new Error(`${where} is not described; body: ${JSON.stringify(body)?.slice(0, 300)}`);
    const media = type?.split(";")[0];
    if (!response.content) { if (body !== "") throw new Error(`${where} has a body, the description none`); return; }
    if (!media || !(media in response.content)) throw new Error(`${where} came as ${media}, described as ${Object.keys(response.content).join(", ")}`);
    if (media !== "application/json") return;
    let validate = this.#compiled.get(where);
    if (!validate) {
      const pointer = ["paths", template, method.toLowerCase(), "responses", String(status), "content", "application/json", "schema"].map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/");
      this.#compiled.set(where, (validate = this.#ajv.compile({ $ref: `api#/${pointer}` })));
    }
    if (!validate(body)) throw new Error(`${where} does not fit its description: ${this.#ajv.errorsText(validate.errors)}; body: ${JSON.stringify(body).slice(0, 500)}`);
  }
}
