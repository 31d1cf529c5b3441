import { useQuery, type UseQueryResult } from "@tanstack/react-query";

/** Something that the platform does, as its own description says it. */
export interface LentOperation {
  id: string;
  method: string;
  words: string;
}
interface Described {
  paths: Record<string, Record<string, { operationId?: string; summary?: string; tags?: string[] }>>;
}

/** About persons, their credentials, or the platform itself: agents are never given these. */
const NEVER = ["auth", "accounts", "keys", "user-profile", "user-mode", "agents", "jobs", "audit", "gateway", "admin"];

function operationsIn({ paths }: Described): LentOperation[] {
  const all = Object.values(paths).flatMap((path) =>
    Object.entries(path).flatMap(([method, { operationId: id, summary }]) => {
      const [domain = ""] = id?.split(".") ?? [];
      return !id || NEVER.includes(domain)
        ? []
        : [{ id, method: method.toUpperCase(), words: `${domain}: ${summary}` }];
    }),
  );
  return all.sort((one, other) => one.words.localeCompare(other.words));
}

/** Everything that could be lent to an agent; read when somebody adds such a tool. */
export const useOperations = (enabled: boolean): UseQueryResult<readonly LentOperation[]> =>
  useQuery({
    queryKey: ["the description of the API"],
    queryFn: async ({ signal }) =>
      operationsIn((await (await fetch("/api/openapi.json", { signal })).json()) as Described),
    enabled,
    staleTime: Infinity,
    meta: { stays: true },
  });
