import type { Actor } from "../../access/access.ts";
import type { Ctx } from "../../access/caller.ts";
import { hiderOf } from "../../access/set-reference.ts";
import type { StreamEvent } from "../answer.ts";
import type { AnyContract, Host } from "../contract.ts";
import { isLarge, isShaping, shapedInTurns } from "./large-answers.ts";
import { streamOf, textStream } from "./stream.ts";

/** Makes the answer of a request from what its handler gave; `item` is the record that the request was about. */
export type Answering = (
  host: Host,
  ctx: Ctx<any>,
  item: { rev?: number } | undefined,
  given: unknown,
  actor: Actor | undefined,
) => unknown;

/**
 * How the answers of an endpoint are made: parsed by `returns`, without what its caller must not see, as a stream where
 * the contract says so, with status and revision in the meta. Large ones are parsed in turns, and are promises.
 */
export function answering(contract: AnyContract): Answering {
  const { returns } = contract;
  const hide = hiderOf(returns.value);
  const mayTakeLong = isShaping(returns.value);
  const told: Answering = (host, ctx, item, parsed, actor) => {
    const value = hide ? hide(parsed as never, actor) : parsed;
    if (returns.events) return streamOf(host, ctx, value as AsyncIterable<StreamEvent>, returns.events, actor);
    if (returns.pieces) return textStream(host, ctx, value as AsyncIterable<string>);
    // Set after the handler: calls that it made merge their meta into this one.
    ctx.meta.$statusCode = statusOf(contract, value);
    ctx.meta.$rev = revisionOf(value) ?? revisionOf(item);
    return value;
  };
  return (host, ctx, item, given, actor) =>
    mayTakeLong && isLarge(given)
      ? shapedInTurns(returns.value, given).then((parsed) => told(host, ctx, item, parsed, actor))
      : told(host, ctx, item, returns.value.parse(given), actor);
}

function statusOf({ accepted, found, status }: AnyContract, value: unknown): number {
  if (accepted?.(value as never)) return 202;
  return found?.(value as never) ? 200 : (status ?? 200);
}

const revisionOf = (value: unknown): number | undefined => {
  const rev = (value as { rev?: unknown } | null | undefined)?.rev;
  return typeof rev === "number" ? rev : undefined;
};
