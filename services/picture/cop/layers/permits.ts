import { mayOutside } from "../../place.ts";
import { Layer } from "./layers.ts";

const set = "problemSetId";
export const DRAFT = "cop:draft";
export const REVIEW = "cop:review";
export const PUBLISH = "cop:publish";
export const reading = { set, may: "cop:read" };
export const drafting = { set, may: DRAFT };
export const reviewing = { set, may: REVIEW };
export const publishing = { set, may: PUBLISH };
export const onLayer = { on: Layer } as const;

/** On a layer, where the caller's role in its problem set allows it; outside of all, where their roles do. */
export const layerFor = (permit: string) => ({ on: Layer, when: mayOutside(permit) }) as const;
