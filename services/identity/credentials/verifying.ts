import type { Actor } from "../../../core/access/access.ts";
import { modeOf } from "../../../core/access/training-mode.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import { platformOf, resolveDid } from "../identity/client.ts";
import { isKind, schemaOf, schemaUrl } from "./kinds.ts";
import type { Credential } from "./data-model.ts";
import { baseOf, isMarked } from "./status/publishing.ts";
import { ownList } from "./status/status-lists.ts";
import type { Ports, Presented } from "./verification.ts";

const FETCH = { maxBytes: 4 * 1024 * 1024, timeoutMs: 8_000, maxRedirects: 2 } as const;

async function fetched(host: Host, url: string, accept: string): Promise<string> {
  if (!/^https?:\/\//i.test(url)) throw new Error("its address is not one of HTTP");
  const { status, body } = await host.world.outbound.get(url, { ...FETCH, accept });
  if (status !== 200) throw new Error(`its address answers ${status}`);
  return body.toString("utf8").trim();
}

function parsed(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error("its address answers no JSON object");
  return value as Record<string, unknown>;
}

const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** The mesh's ways of finding out what verification asks. */
export async function portsOf(host: Host, asker: Actor | undefined): Promise<Ports> {
  const base = baseOf(host);
  const ownSchema = (url: string): string | undefined => {
    const kind = url.slice(url.lastIndexOf("/") + 1);
    return isKind(kind) && url === schemaUrl(base, kind) ? kind : undefined;
  };
  const { dids, training } = await platformOf(host);
  return {
    now: host.world.clock.now(),
    platform: dids,
    training: training.dids,
    inTraining: asker !== undefined && modeOf(asker) === "training",
    resolve: (did) => resolveDid(host, did, asker?.userId),
    async statusList(url, index) {
      const own = ownList(base, url);
      if (own) return { own: true, purpose: own.purpose, marked: await isMarked(host, own.list, own.purpose, index) };
      const text = await fetched(host, url, "application/vc, application/vc+jwt, application/json");
      const presented: Presented = COMPACT.test(text) ? text : (parsed(text) satisfies Credential);
      return { own: false, presented };
    },
    async schema(url) {
      const kind = ownSchema(url);
      if (kind && isKind(kind)) return { own: true, schema: schemaOf(base, kind) };
      return { own: false, schema: parsed(await fetched(host, url, "application/schema+json, application/json")) };
    },
  };
}
