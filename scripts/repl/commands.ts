import { collectionSizes } from "../../adapters/documents/sizes.ts";
import { processEnv } from "../../config/env.ts";
import { ACCOUNT_COMMANDS } from "./accounts.ts";
import { columns, fields, harmless } from "./text.ts";
import type { Session } from "./session.ts";

/** Arguments by name, and flags. */
export type Given = Record<string, string | undefined> & { options: { yes?: boolean } };

export interface OperatorCommand {
  /** Name and arguments: `job <id>`, `ingest [source]`. */
  command: string;
  description: string;
  /**
   * What is asked before it changes something; it then also takes `--yes`. Null: nothing changes by this form of it.
   */
  confirm?(session: Session, given: Given): Promise<string | null> | string | null;
  /** What may stand for the first argument. */
  complete?(session: Session): Promise<readonly string[]> | readonly string[];
  /** What is printed. */
  run(session: Session, given: Given): Promise<string>;
}

interface Source {
  id: number;
  name: string;
  health: string;
  active: boolean;
  domain: string;
  lastFetch: string | null;
}
interface Job {
  id: string;
  kind: string;
  status: string;
  stage?: string;
  done?: number;
  total?: number;
  attempts: number;
  by: string;
  createdAt: string;
  error?: string;
  fault?: string;
}
interface Delivery {
  id: string;
  status: string;
  lastError?: string;
  createdAt: string;
}
interface Listed<T> {
  data: T[];
}

const PAGE = 100;

/** Every source, page by page. */
async function* sources(session: Session): AsyncGenerator<Source> {
  for (let page = 1; ; page++) {
    const { data } = await session.call<Listed<Source>>("sources.list", { page, limit: PAGE });
    yield* data;
    if (data.length < PAGE) return;
  }
}

async function active(session: Session): Promise<Source[]> {
  const found: Source[] = [];
  for await (const source of sources(session)) if (source.active) found.push(source);
  return found;
}

/** One after the other: a person waits for it, the mesh's own rounds are not held up. */
async function refreshed(session: Session, wanted: readonly { id: number; name: string }[]): Promise<string> {
  const rows: Record<string, unknown>[] = [];
  for (const { id, name } of wanted) {
    const outcome = await session.call<{ message: string }>("sources.refresh", { id }).then(
      ({ message }) => message,
      (error: Error) => error.message,
    );
    rows.push({ id, name, outcome });
  }
  return columns(rows);
}

const numbered = (text: string): number => {
  const id = Number(text);
  if (!Number.isSafeInteger(id) || id < 1) throw new Error(`"${harmless(text)}" is no number of a source.`);
  return id;
};

const jobs = async (session: Session, query: object = {}): Promise<Job[]> =>
  (await session.call<Listed<Job>>("jobs.list", { limit: PAGE, ...query })).data;
const jobRow = ({ id, kind, status, stage, done, total, attempts, createdAt, fault, error }: Job) => ({
  id,
  kind,
  status,
  stage,
  progress: total ? `${done ?? 0}/${total}` : undefined,
  attempts,
  createdAt,
  why: fault ?? error,
});

interface Seen {
  id: string;
  available: boolean;
  services: { name: string }[];
  cpu?: number | null;
  local?: boolean;
}

/** How many nodes run each service, busiest first within it. */
function scale({ broker }: Session): string {
  const nodes = (broker.registry as unknown as { getNodeList(o: object): Seen[] }).getNodeList({
    onlyAvailable: true,
    withServices: true,
  });
  const by = new Map<string, Seen[]>();
  for (const node of nodes)
    for (const { name } of node.services) if (!name.startsWith("$")) by.set(name, [...(by.get(name) ?? []), node]);
  const rows = [...by]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([service, on]) => ({
      service,
      nodes: on.length,
      "where (processor of its machine)": on.map(({ id, cpu }) => (cpu ? `${id} (${cpu} %)` : id)).join(", "),
    }));
  return columns(rows);
}

const AUDIT = ["verify", "recent", "checkpoint"] as const;

async function audit(session: Session, what: string): Promise<string> {
  if (what === "recent") {
    const { data } = await session.call<
      Listed<{ time: string; actor: string; action: string; outcome: string; requestId?: string }>
    >("audit.list", { limit: 20 });
    return columns(
      data.map(({ time, actor, action, outcome, requestId }) => ({ time, actor, action, outcome, requestId })),
    );
  }
  if (what === "checkpoint") return JSON.stringify(await session.call("audit.getCheckpoint"), null, 2);
  if (what !== "verify") throw new Error(`audit knows ${AUDIT.join(", ")}.`);
  const { ok, chains, entries, faults } = await session.call<{
    ok: boolean;
    chains: number;
    entries: number;
    faults: Record<string, unknown>[];
  }>("audit.verify");
  return ok ? `${entries} entries in ${chains} chains hold.` : `The log was changed:\n${columns(faults)}`;
}

/** What operators type. Of what lies behind barriers they see states and numbers, never names or contents. */
export const COMMANDS: readonly OperatorCommand[] = [
  {
    command: "sources [health]",
    description: "The sources and how they fare; those of one health: active, degraded, failed",
    complete: () => ["active", "degraded", "failed"],
    async run(session, { health }) {
      const rows: Record<string, unknown>[] = [];
      for await (const one of sources(session))
        if (!health || one.health === health)
          rows.push({
            id: one.id,
            name: one.name,
            domain: one.domain,
            health: one.health,
            active: one.active,
            lastFetch: one.lastFetch,
          });
      return columns(rows);
    },
  },
  {
    command: "ingest [source]",
    description: "Fetch one source now, or all that are active",
    complete: async (session) => (await active(session)).map(({ id }) => String(id)),
    async confirm(session, { source }) {
      if (!source) return `Fetch all ${(await active(session)).length} active sources now?`;
      const { name } = await session.call<Source>("sources.get", { id: numbered(source) });
      return `Fetch ${harmless(name)} now?`;
    },
    async run(session, { source }) {
      return refreshed(
        session,
        source ? [await session.call<Source>("sources.get", { id: numbered(source) })] : await active(session),
      );
    },
  },
  {
    command: "index",
    description: "How far the search index is behind the store",
    async run(session) {
      return fields(await session.call("search.getStatus"));
    },
  },
  {
    command: "reindex",
    description: "Build the search index anew, in the background; the present one answers until then",
    confirm: () => "Build the search index anew from the store?",
    async run(session) {
      const { jobId, status } = await session.call<{ jobId: string; status: string }>("search.reindex");
      return `${status}: ${jobId}`;
    },
  },
  {
    command: "jobs [status]",
    description: "Background work, newest first",
    complete: () => ["queued", "running", "completed", "failed", "cancelled"],
    async run(session, { status }) {
      return columns((await jobs(session, status ? { status } : {})).map(jobRow));
    },
  },
  {
    command: "job <id>",
    description: "One piece of background work",
    complete: async (session) => (await jobs(session)).map(({ id }) => id),
    async run(session, { id }) {
      return fields(await session.call("jobs.get", { id }));
    },
  },
  {
    command: "cancel <id>",
    description: "Stop a piece of background work",
    complete: async (session) =>
      (await jobs(session)).filter(({ status }) => status === "queued" || status === "running").map(({ id }) => id),
    async confirm(session, { id }) {
      const { kind, status } = await session.call<Job>("jobs.get", { id });
      return `Stop ${kind}, which is ${status}?`;
    },
    async run(session, { id }) {
      await session.call("jobs.cancel", { id });
      return "Stopped.";
    },
  },
  {
    command: "retry <id>",
    description: "Have failed background work tried again, from what it saved",
    complete: async (session) => (await jobs(session, { status: "failed" })).map(({ id }) => id),
    async confirm(session, { id }) {
      const { kind, status } = await session.call<Job>("jobs.get", { id });
      return `Have ${kind}, which is ${status}, tried again?`;
    },
    async run(session, { id }) {
      return (await session.call<Job>("jobs.retry", { id })).status;
    },
  },
  {
    command: "deliveries [status]",
    description: "Webhook deliveries, newest first",
    async run(session, { status }) {
      const { data } = await session.call<Listed<Delivery>>("webhooks.deliveries.list", {
        limit: PAGE,
        ...(status && { status }),
      });
      return columns(
        data.map(({ id, status: state, createdAt, lastError: why }) => ({ id, status: state, createdAt, why })),
      );
    },
  },
  {
    command: "replay <delivery>",
    description: "Send a webhook delivery again, under the same id",
    complete: async (session) =>
      (await session.call<Listed<Delivery>>("webhooks.deliveries.list", { limit: PAGE })).data.map(({ id }) => id),
    confirm: (_session, { delivery }) => `Send ${harmless(delivery!)} to its receiver again?`,
    async run(session, { delivery }) {
      const { status } = await session.call<Delivery>("webhooks.deliveries.replay", { id: delivery });
      return status;
    },
  },
  {
    command: "sets",
    description: "Problem sets by state; names stay behind their barriers",
    async run(session) {
      return columns(await session.call<Record<string, unknown>[]>("problem-sets.census"));
    },
  },
  {
    command: "gates",
    description: "Gates by state, and how many are past their deadline; contents stay behind their barriers",
    async run(session) {
      return columns(await session.call<Record<string, unknown>[]>("gates.census"));
    },
  },
  {
    command: "audit [what]",
    description: "verify: recompute the log; recent: its last entries; checkpoint: one to keep elsewhere",
    complete: () => AUDIT,
    run: (session, { what = "verify" }) => audit(session, what),
  },
  {
    command: "sizes [most]",
    description: "What each collection takes up, the largest first: documents, their bytes, those of indexes",
    async run(_session, { most = "20" }) {
      const sizes = await collectionSizes(processEnv());
      const shown = sizes.slice(0, Number(most) || sizes.length).map((size) => ({ ...size }));
      const left = sizes.length - shown.length;
      return columns(shown) + (left ? `\nand ${left} smaller ones: \`sizes all\` shows them too.` : "");
    },
  },
  {
    command: "scale",
    description: "How many nodes run each service, and where",
    run: async (session) => scale(session),
  },
  ...ACCOUNT_COMMANDS,
];
