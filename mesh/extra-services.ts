import { glob } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Middleware, ServiceSchema } from "moleculer";
import { MoleculerDbAdapter } from "../adapters/documents/moleculer-db.ts";
import { published } from "../core/contract/catalogue.ts";
import type { MeshService } from "../core/contract/endpoint.ts";
import type { CollectionOptions, Documents } from "../core/records/documents.ts";
import { StartRefused } from "../core/start-refused.ts";

/** A service of other makers; `published`: one of its actions at least is an endpoint of ours, with its permit. */
export interface Extra {
  schema: ServiceSchema;
  published: boolean;
}

/** What a service of moleculer-db says of its store beside its settings. */
type StockSchema = ServiceSchema & { adapter?: unknown; indexes?: CollectionOptions["indexes"] };

/** Collections of stock services: none of them is one of ours, whatever the service is called. */
const PREFIX = "extra.";

/**
 * The services that these file patterns name, in the order of their files. Throws StartRefused on a pattern or a file
 * without one.
 */
export async function extraServices(patterns: readonly string[]): Promise<Extra[]> {
  const files = new Set<string>();
  for (const pattern of patterns) {
    const matches = await Array.fromAsync(glob(pattern));
    if (!matches.length) throw new StartRefused(`EXTRA_SERVICES: no file is named ${pattern}.`);
    for (const file of matches.sort()) files.add(resolve(file));
  }
  return Promise.all(
    [...files].map(async (file) => {
      const { default: schema } = (await import(pathToFileURL(file).href)) as { default?: ServiceSchema };
      if (typeof schema !== "object" || typeof schema.name !== "string" || !schema.name)
        throw new StartRefused(`EXTRA_SERVICES: ${file} exports no service with a name by default.`);
      return { schema, published: [...published(schema as unknown as MeshService)].length > 0 };
    }),
  );
}

/**
 * For Moleculer: a service of other makers stands beside ours, not in their place, and a stock service of moleculer-db
 * that
 * names no adapter has its collection in our store.
 */
export function ofOtherMakers(services: readonly MeshService[], documents: Documents): Middleware {
  const ours = new Map(services.map((service) => [service.name, service]));
  return {
    name: "Services of other makers",
    serviceCreating(_service, schema: StockSchema) {
      refuseTaken(ours, schema);
      if (schema.adapter || !isOfMoleculerDb(schema)) return;
      schema.adapter = new MoleculerDbAdapter(documents, { indexes: schema.indexes ?? [] }, PREFIX);
    },
  };
}

/** Moleculer would share calls of an action between both. */
function refuseTaken(ours: ReadonlyMap<string, MeshService>, schema: ServiceSchema): void {
  const { name, version } = schema;
  const fullName = version === undefined ? name : `${typeof version === "number" ? `v${version}` : version}.${name}`;
  // Actions of the service `v1` begin as those of any service of version 1 do.
  const domain = [...ours.keys()].find((known) => fullName === known || fullName.startsWith(`${known}.`));
  if (domain !== undefined && !isSame(ours.get(domain)!, schema))
    throw new StartRefused(`A service cannot be called ${fullName}: the platform's own ${domain} is.`);
}

/** Whether a schema that Moleculer copied is that service's: functions are not copied. */
function isSame(service: MeshService, schema: ServiceSchema): boolean {
  const copied = new Set(functionsOf(schema));
  return [service, ...(service.mixins ?? []).filter((mixin) => "domain" in mixin)]
    .flatMap(functionsOf)
    .some((known) => copied.has(known));
}

function functionsOf({ created, started, actions = {} }: Partial<ServiceSchema>): unknown[] {
  const handlers = Object.values(actions).map((action) => (action as { handler?: unknown } | undefined)?.handler);
  return [created, started, handlers].flat().filter(Boolean);
}

const isOfMoleculerDb = ({ metadata }: ServiceSchema): boolean =>
  (metadata as { $package?: { name?: string } } | undefined)?.$package?.name === "moleculer-db";
