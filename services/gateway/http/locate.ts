import type { ServerResponse } from "node:http";
import { Problem } from "../../../core/problem.ts";
import { baseHeaders } from "./respond.ts";
import type { Router } from "./router.ts";

/** Finds the route of a request, or answers it: 404, 405 with Allow, OPTIONS. */
export function locate<T>(router: Router<T>, method: string, path: string, res: ServerResponse, requestId: string) {
  const found = router.find(method === "HEAD" ? "GET" : method, path);
  if (found) return found;
  const allowed = router.allowed(path);
  if (!allowed.length)
    throw new Problem(404, "ROUTE_NOT_FOUND", "There is no such address here; /api/docs lists those that are.");
  if (method !== "OPTIONS")
    throw new Problem(405, "METHOD_NOT_ALLOWED", `This address takes ${allowed.join(", ")}.`, {
      headers: { Allow: allowed.join(", ") },
    });
  res.writeHead(204, { ...baseHeaders(requestId), Allow: allowed.join(", ") }).end();
  return undefined;
}
