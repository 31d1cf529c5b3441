import type { IncomingMessage, ServerResponse } from "node:http";
import type { ServiceBroker } from "moleculer";
import type { Actor } from "../../../core/access/access.ts";
import type { Meta } from "../../../core/access/caller.ts";
import type { PublishedEndpoint } from "../../../core/contract/catalogue.ts";
import type { Following, Streams } from "./streams.ts";

/** A client that follows an action's stream, and the action's parameters. */
export interface Followed {
  served: Pick<PublishedEndpoint, "action" | "contract">;
  params: object;
  meta: Meta;
  requestId: string;
  /** How events are written, and from the first one on, whatever the client says it has. */
  write?: Following["write"];
}

/** A stream of events: the action is called, and called again whenever the caller's access changes. */
export function follow(
  streams: Streams,
  broker: ServiceBroker,
  identify: Following["identify"],
  req: IncomingMessage,
  res: ServerResponse,
  { served: { action, contract }, params, meta, requestId, write }: Followed,
): Promise<void> {
  const last = write ? undefined : req.headers["last-event-id"];
  return streams.follow({
    res,
    requestId,
    head: req.method === "HEAD",
    actor: meta.actor,
    lastEventId: typeof last === "string" && last ? last : undefined,
    contentType: contract.returns.contentType,
    write,
    identify,
    open: (actor: Actor | undefined, lastEventId: string | undefined, id: string) =>
      broker.call(
        action,
        { ...params },
        { meta: { ...meta, actor, ...(lastEventId !== undefined && { lastEventId }) }, requestID: id },
      ),
    abandon: (id: string) => void broker.broadcast("gateway.request.abandoned", { requestId: id }),
  });
}
