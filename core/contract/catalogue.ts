import type { ServiceSchema } from "moleculer";
import { z } from "zod";
import type { EventType } from "../events/event.ts";
import { domainOf, type AnyContract, type DomainParts, type MeshService, type Verb } from "./endpoint.ts";
import type { WebhookType } from "./webhook.ts";

/** One endpoint as the gateway and the docs see it. */
export interface PublishedEndpoint {
  service: string;
  action: string;
  method: Verb;
  /** Whole path with the prefix: `/api/sources/:id`. */
  path: string;
  contract: AnyContract;
}

export const PREFIX = "/api";

const layersOf = (service: MeshService): Partial<ServiceSchema>[] => [
  ...(service.mixins ?? []),
  service as unknown as ServiceSchema,
];

/** Every endpoint a service publishes, its mixins' included. */
export function* published(service: MeshService): Generator<PublishedEndpoint> {
  for (const [name, schema] of layersOf(service).flatMap((layer) => Object.entries(layer.actions ?? {}))) {
    const contract = (schema as unknown as { handler?: { contract?: AnyContract } }).handler?.contract;
    if (!contract?.rest) continue;
    const [method, tail] = contract.rest.split(" ") as [Verb, string];
    const path = `${PREFIX}${service.settings.rest}${tail}`.replace(/\/+/g, "/").replace(/\/$/, "");
    yield { service: service.name, action: `${service.name}.${name}`, method, path, contract };
  }
}

/** What the domains of a service declare. */
const partsOf = (service: MeshService): DomainParts[] =>
  layersOf(service).flatMap((layer) => (layer as { domain?: DomainParts }).domain ?? []);

/** What these services send to receivers of others, with the service that does. */
export const webhooksOf = (services: Iterable<MeshService>): { service: string; webhook: WebhookType }[] =>
  [...services].flatMap((service) =>
    partsOf(service).flatMap(({ sends = [] }) => sends.map((webhook) => ({ service: service.name, webhook }))),
  );

/** Every event that a domain of these services tells. Throws TypeError where two have one name. */
export function eventsOf(services: Iterable<MeshService>): EventType<any>[] {
  const byName = new Map<string, EventType<any>>();
  for (const event of [...services].flatMap(partsOf).flatMap(({ tells }) => tells?.() ?? [])) {
    if (byName.has(event.name) && byName.get(event.name) !== event)
      throw new TypeError(`Two events are called ${event.name}.`);
    byName.set(event.name, event);
  }
  return [...byName.values()];
}

/**
 * Tells the domains that ask for it of all events and scopes of the whole mesh; once they are loaded, and again with
 * more.
 */
export function introduce(services: Iterable<MeshService>): void {
  const all = [...services];
  const [events, scopes] = [eventsOf(all), scopesOf(all)];
  for (const parts of all.flatMap(partsOf)) parts.learns?.(events, scopes);
}

/** The domains that a credential can be confined to, by name: those in which any endpoint asks who calls. */
const scopesOf = (services: readonly MeshService[]): string[] =>
  [
    ...new Set(
      services.flatMap((service) =>
        [...published(service)].flatMap(({ contract: { permit } }) =>
          permit === "public" ? [] : domainOf(permit, service),
        ),
      ),
    ),
  ].sort();

/** Event type → the actions that hear it durably, over all services: the outbox's address book. */
export function subscribers(services: Iterable<MeshService>): Map<string, string[]> {
  const all = [...services];
  const events = eventsOf(all);
  const book = new Map<string, string[]>();
  for (const service of all)
    for (const parts of partsOf(service))
      for (const [at, { type, trait }] of (parts.hears ?? []).entries()) {
        const types = trait ? events.filter((event) => event[trait]).map(({ name }) => name) : [type];
        for (const one of types) book.set(one, [...(book.get(one) ?? []), `${service.name}.${hearing(type, at)}`]);
      }
  return book;
}

/** The actions that hear many facts at once. */
export const hearingTogether = (services: Iterable<MeshService>): ReadonlySet<string> =>
  new Set(
    [...services].flatMap((service) =>
      partsOf(service).flatMap(({ hears = [] }) =>
        hears.flatMap(({ type, together }, at) => (together ? `${service.name}.${hearing(type, at)}` : [])),
      ),
    ),
  );

/** The action of the mesh that says what persons are called; undefined where no service does. */
export function namingAction(services: Iterable<MeshService>): string | undefined {
  for (const service of services)
    for (const { names } of partsOf(service)) if (names) return `${service.name}.${names}`;
  return undefined;
}

/** The actions that tell memberships. */
export function rollActions(services: Iterable<MeshService>): DomainParts["rolls"] {
  for (const service of services)
    for (const { rolls } of partsOf(service))
      if (rolls) return { since: `${service.name}.${rolls.since}`, all: `${service.name}.${rolls.all}` };
  return undefined;
}

/** Names of all actions that the mesh alone may call. */
export function internalActions(services: Iterable<MeshService>): ReadonlySet<string> {
  const names = new Set<string>();
  for (const service of services)
    for (const [name, schema] of layersOf(service).flatMap((layer) => Object.entries(layer.actions ?? {})))
      if ((schema as unknown as { handler?: { contract?: AnyContract } }).handler?.contract?.permit === "internal")
        names.add(`${service.name}.${name}`);
  return names;
}

/** The name of the action by which a service hears facts of a type: `at` counts its subscriptions from 0. */
export const hearing = (type: string, at: number): string => `hears:${type}:${at}`;

type Coerce = (raw: string | string[]) => unknown;

const asNumber: Coerce = (raw) => (typeof raw === "string" && /^-?\d+(\.\d+)?$/.test(raw) ? Number(raw) : raw);
const asBoolean: Coerce = (raw) => (raw === "true" ? true : raw === "false" ? false : raw);
const asText: Coerce = (raw) => raw;

/** How a parameter's text becomes its JSON type; text that does not fit stays text, for the schema to complain of. */
function coercion(schema: z.ZodType): Coerce {
  const { type, items, anyOf } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as {
    type?: string;
    items?: { type?: string };
    anyOf?: { type?: string }[];
  };
  const one = (name: string | undefined): Coerce =>
    name === "integer" || name === "number" ? asNumber : name === "boolean" ? asBoolean : asText;
  if (type === "array") {
    const each = one(items?.type);
    return (raw) => (Array.isArray(raw) ? raw : raw.split(",")).map((item) => each(item));
  }
  return one(type ?? anyOf?.find((option) => option.type && option.type !== "null")?.type);
}

/** Reads an endpoint's path and query parameters, and the text fields of a form; made once an endpoint, at its first request. */
export function reader(contract: AnyContract): (name: string, raw: string | string[]) => unknown {
  const { on, by = "id", path, query, body, upload } = contract;
  const schemas: Record<string, z.ZodType> = {
    ...(on && { [by]: on.id }),
    ...(path as object),
    ...(query as object),
    ...(upload && (body as object)),
  };
  const coercions = new Map(Object.entries(schemas).map(([name, schema]) => [name, coercion(schema)]));
  return (name, raw) => coercions.get(name)?.(raw) ?? raw;
}
