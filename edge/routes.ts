import { badRequest, invalid } from "../core/problem.ts";
import type { Wish } from "./edits.ts";
import type { LocalAnswer, LocalRequest, Routes } from "./face.ts";
import { Unreachable } from "./sync/link.ts";
import type { Loop } from "./sync/loop.ts";
import type { EdgeNode } from "./node.ts";
import type { LocalRecord } from "./records.ts";
import { HubRefusal } from "./sync/hub.ts";

const record = (data: LocalRecord): LocalAnswer => ({ data, etag: data.etag });

function countOf(query: URLSearchParams): number {
  const limit = Number(query.get("limit") ?? 100);
  if (Number.isInteger(limit) && limit > 0) return limit;
  throw invalid([{ path: "limit", message: "A whole number above 0." }]);
}

/** The fields of a PATCH, each a change of its own. */
function assignments(body: Record<string, unknown>): Wish[] {
  const wishes = Object.entries(body).map(([field, value]): Wish => ({ op: "set", field, value }));
  if (!wishes.length) throw badRequest("Send the fields that change, by their names.");
  return wishes;
}

function wishOf(op: Wish["op"], { field, value, seen }: Record<string, unknown>): Wish {
  if (typeof field !== "string") throw invalid([{ path: "field", message: "Name the field." }]);
  if (seen !== undefined && !(Array.isArray(seen) && seen.every((dot) => typeof dot === "string")))
    throw invalid([{ path: "seen", message: "The heads that you decided between, as they were shown." }]);
  return { op, field, value, ...(seen !== undefined && { seen: seen as string[] }) };
}

/** What the face of a node answers. Records are read and changed without the hub; `loop` is asked for a round alone. */
export function routesOf(node: EdgeNode, loop: Loop): Routes {
  const changing =
    (op: Wish["op"]) =>
    async ({ path, body, match }: LocalRequest): Promise<LocalAnswer> =>
      record(await node.edit(addressOf(path), [wishOf(op, body)], match));
  return {
    "GET /status": async () => ({ data: await node.status() }),
    "GET /records/:entity": async ({ path, query }) => {
      const data = await node.list(path["entity"]!, query.get("after") ?? "", countOf(query));
      return { data, meta: { next: data.at(-1)?.id ?? null } };
    },
    "POST /records/:entity": async ({ path, body }) => ({
      status: 201,
      ...record(await node.make(path["entity"]!, body)),
    }),
    "GET /records/:entity/:id": async ({ path }) => record(await node.read(addressOf(path))),
    "PATCH /records/:entity/:id": async ({ path, body, match }) =>
      record(await node.edit(addressOf(path), assignments(body), match)),
    "DELETE /records/:entity/:id": async ({ path, match }) =>
      record(await node.edit(addressOf(path), [{ op: "delete" }], match)),
    "POST /records/:entity/:id/add": changing("add"),
    "POST /records/:entity/:id/remove": changing("remove"),
    "POST /records/:entity/:id/delta": changing("delta"),
    "POST /records/:entity/:id/decide": changing("set"),
    "GET /conflicts": async () => ({ data: await node.conflicts() }),
    "GET /changes": async ({ query }) => ({ data: await node.waiting(countOf(query)) }),
    "GET /rejections": async () => ({ data: await node.rejections() }),
    "DELETE /rejections/:seq": async ({ path }) => {
      await node.dismiss(Number(path["seq"]));
      return { data: null };
    },
    // How it went stands in the status, whoever asked for the round.
    "POST /sync": async () => {
      const round = await loop.now().catch((error: unknown) => {
        if (error instanceof Unreachable || error instanceof HubRefusal) return null;
        throw error;
      });
      return { data: { round, status: await node.status() } };
    },
  };
}

const addressOf = (path: Record<string, string>) => ({ entity: path["entity"]!, id: path["id"]! });
