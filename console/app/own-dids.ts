import { useAnswer } from "../api/hooks.ts";
import { useWho } from "./session.tsx";

/**
 * All DIDs of whoever is here, those in force first; undefined until they are known. The session tells none: a DID in it
 * is the one that a request claims by `X-DID`.
 */
export function useOwnDids(): readonly string[] | undefined {
  const { user } = useWho();
  const dids = useAnswer("GET /identity/dids", [{ query: { sort: "createdAt", limit: 100 } }], {
    enabled: Boolean(user),
  });
  const all = dids.data && Map.groupBy(dids.data.data, ({ status }) => status);
  return all && [...(all.get("active") ?? []), ...(all.get("deactivated") ?? [])].map(({ did }) => did);
}
