import type { Host } from "../../../core/contract/endpoint.ts";
import { Direction } from "./context.ts";

/** What a direction is made from. */
export const newDirection = Direction.create;

/** Makes a set inherit what its present parent offers; without a parent, nothing. */
export const inheritAnew = (host: Host, problemSetId: string): Promise<null> =>
  host.ask("inheritance.inheritAnew", { problemSetId });
