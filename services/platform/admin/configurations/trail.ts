import { z } from "zod";
import { CONFIGURATION_NAMES } from "../../../../config/configurations.ts";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { asSystem } from "../../../../core/access/caller.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { Instant } from "../../../../core/records/entity.ts";
import { ConfigurationChange, Version, versionId } from "./configurations.ts";

/** The book of the audit log that changes of configurations are listed in. */
export const BOOK = "config";
const us = asSystem("admin");

export const TrailEntry = z
  .object({
    at: Instant,
    by: PersonId,
    action: z.string(),
    config: z.string().describe("The target of the change: a configuration, or one of the lists."),
    outcome: z.enum(["ok", "refused", "failed"]),
    code: z.string().optional().describe("Why it was not done."),
    version: z.int().optional(),
    changes: z.array(ConfigurationChange),
    reason: z.string().optional(),
    dryRun: z.literal(true).optional(),
    requestId: z.string(),
    entry: z.object({ chain: z.string(), seq: z.int(), hash: z.string() }).describe("Its place in the audit log."),
  })
  .meta({ id: "ConfigurationTrailEntry" });

interface Entry {
  time: string;
  actor: string;
  action: string;
  outcome: "ok" | "refused" | "failed";
  code?: string;
  requestId: string;
  chain: string;
  seq: number;
  hash: string;
  said?: {
    config?: string;
    changes?: ConfigurationChange[];
    reason?: string;
    version?: number;
    change?: string;
    dryRun?: true;
  };
}

/** What an action is about, where it was refused before it could say so: `admin.llmSettings.save`. */
const aboutOf = (action: string): string =>
  (action.split(".")[1] ?? action).replace("Settings", "").replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const isVersioned = ({ outcome, said }: Entry): boolean =>
  outcome === "ok" && said?.version !== undefined && CONFIGURATION_NAMES.includes(said.config as never);

/**
 * A page of the trail. A write is in the log before it is known whether another was first: that it was is told by the
 * entry behind it, and by the version, which is the other's.
 */
export async function trail(host: Host, page: { cursor?: string | undefined; limit: number }) {
  const { data, meta } = await host.ask<{ data: Entry[]; meta: { limit: number; next: string | null } }>("audit.book", {
    book: BOOK,
    ...page,
  });
  const ids = data.filter(isVersioned).map(({ said }) => versionId(said!.config as never, said!.version!));
  const made = ids.length ? await host.store(Version).many(us, [...new Set(ids)]) : [];
  const versions = new Map(made.map((one) => [one.id, one.change]));
  const overtaken = (entry: Entry): boolean => {
    const change = isVersioned(entry) && versions.get(versionId(entry.said!.config as never, entry.said!.version!));
    return change !== false && change !== undefined && change !== entry.said!.change;
  };
  const rows = data
    .filter((entry) => !overtaken(entry))
    .map(({ time, actor, action, outcome, code, requestId, chain, seq, hash, said }) => ({
      at: time,
      by: actor,
      action,
      config: said?.config ?? aboutOf(action),
      outcome,
      ...(code && { code }),
      ...(outcome === "ok" && said?.version !== undefined && { version: said.version }),
      changes: said?.changes ?? [],
      ...(said?.reason !== undefined && { reason: said.reason }),
      ...(said?.dryRun && { dryRun: said.dryRun }),
      requestId,
      entry: { chain, seq, hash },
    }));
  return { data: rows, meta };
}
