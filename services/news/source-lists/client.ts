import { z } from "zod";
import type { Host } from "../../../core/contract/endpoint.ts";
import { NumberId } from "../../../core/records/entity.ts";

/** What a list lets through. */
export const Visible = z.object({ listId: NumberId, sourceIds: z.array(NumberId) });
export type Visible = z.output<typeof Visible>;

/** What the given list, else the active one, narrows to; null where none is in force. Throws 404 on an unknown list. */
export const visibleSources = (host: Host, sourceListId?: number): Promise<Visible | null> =>
  host.ask("source-lists.visible", sourceListId === undefined ? {} : { sourceListId });
