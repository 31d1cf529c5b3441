import type { Asked, TestWorld } from "./mesh.ts";
import { plant, type Place, type Planted } from "./requests.ts";

export const ID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** A request of a planting, and what came of it. */
export interface Written {
  method: string;
  path: string;
  asked: Asked;
  told: unknown;
}
/** Plants, and answers each request that did. */
export async function written(at: TestWorld, place: Place): Promise<[Planted, Written[]]> {
  const { http } = at;
  const requests: Written[] = [];
  at.http = async (method, path, asked = {}) => {
    const reply = await http(method, path, asked);
    requests.push({ method, path, asked, told: reply.body });
    return reply;
  };
  try {
    return [await plant(at, place), requests];
  } finally {
    at.http = http;
  }
}

/** What of a planting a field could name, by its own name: `unitId` a unit. */
export function namedBy(field: string, planted: Planted): string[] {
  const noun = /([A-Z]?[a-z]{3,})Ids?$/.exec(field)?.[1]?.toLowerCase().slice(0, -1);
  return Object.entries(planted).flatMap(([template, id]) =>
    noun !== undefined && template.split("/").at(-2)?.startsWith(noun) ? [id] : [],
  );
}
/** The ids of what lies in a compartment, of all that answers told. */
export function lyingIn(cid: string, told: unknown, found = new Set<string>()): Set<string> {
  if (typeof told !== "object" || told === null) return found;
  const { id, compartments: lies } = told as { id?: unknown; compartments?: unknown };
  if (typeof id === "string" && Array.isArray(lies) && lies.includes(cid)) found.add(id);
  for (const inner of Object.values(told)) lyingIn(cid, inner, found);
  return found;
}
