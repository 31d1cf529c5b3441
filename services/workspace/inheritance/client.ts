import type { Host } from "../../../core/contract/endpoint.ts";
import { Direction } from "./context.ts";

/** What a direction is made from. */
export const newDirection = Direction.create;

/** Makes a set inherit what its present parent offers; without a parent, nothing. */
export const inheritAnew = (host: Host, problemSetId: string): Promise<null> =>
  host.ask("inheritance.inheritAnew", { problemSetId });

/** What another domain offers downward from a set. */
export interface OwnOffer {
  problemSetId: string;
  kind: "intent" | "objective";
  sourceId: string;
  compartments: string[];
  title: string;
  text: string;
}
/** Lets the children of a set inherit an approved intent or objective of another domain; repeated, it changes nothing. */
export const offer = (host: Host, offered: OwnOffer): Promise<null> => host.ask("inheritance.offer", offered);
/** Takes it back. */
export const withdraw = (host: Host, offered: Pick<OwnOffer, "problemSetId" | "kind" | "sourceId">): Promise<null> =>
  host.ask("inheritance.withdraw", offered);
