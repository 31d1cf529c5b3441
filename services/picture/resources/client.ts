import type { Ctx } from "../../../core/access/caller.ts";
import type { Host } from "../../../core/contract/endpoint.ts";

interface Use {
  resourceId: string;
  type: "sensor";
  by: string;
  name: string;
  compartments: readonly string[];
}

/** Notes that something uses a resource, which is then not removed under it; 404 to a caller who does not see it. */
export const holdResource = (ctx: Ctx<unknown>, use: Use): Promise<{ problemSetId?: string; name: string }> =>
  ctx.call<{ problemSetId?: string; name: string }, object>("resources.hold", use);

export const releaseResource = (host: Host, use: { resourceId: string; by: string }): Promise<null> =>
  host.ask("resources.release", use);
