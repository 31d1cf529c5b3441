import { z } from "zod";
import { iso } from "../../../../core/clock.ts";
import { data } from "../../../../core/contract/answer.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { TextId } from "../../../../core/records/entity.ts";
import { ENTITIES } from "../../../../core/sync/kinds.ts";
import { AnswerText, ChangeText, MOST_BYTES, MOST_CHANGES, StateText } from "../../../../core/sync/wire.ts";
import { commonsOf } from "../../../../mixins/domain.mixin.ts";
import { CARRY } from "../nodes/acting.ts";
import { follow } from "../records/following.ts";
import { demandSender, takeBatch } from "./batches.ts";
import { FieldsText, fieldsTold } from "./fields.ts";
import { delta, LONGEST_CURSOR, MOST_RECORDS } from "./delta.ts";

const Time = z.string().describe("The hub's time, by which a node sets its clock.");
const Told = {
  entity: z.enum(ENTITIES),
  id: z.string(),
  place: z.int().describe("Where it lies, as `purge` names it."),
};

export const syncActions = {
  sync: endpoint({
    rest: "POST /sync",
    summary: "Upload the changes of an edge node",
    permit: CARRY,
    inflates: true,
    bodyLimit: MOST_BYTES,
    body: {
      node: TextId.describe("The node, as it was enrolled (`POST /api/edge-sync/nodes`)."),
      batchId: z
        .string()
        .min(1)
        .max(64)
        .describe("Identifies the batch: the same batch sent again gets the same answer."),
      changes: z.array(ChangeText).min(1).max(MOST_CHANGES),
      signature: z
        .string()
        .max(1_024)
        .regex(/^[\w-]+$/, "Base64url without padding.")
        .describe(
          "Signature by a key of the node's DID, over the canonical JSON (RFC 8785) of the body without " +
            "this field.",
        ),
    },
    returns: data(
      z
        .object({
          node: z.string(),
          batchId: z.string(),
          answers: z.array(AnswerText).describe("One a change, in their order."),
          lastSeq: z.int(),
          time: Time,
        })
        .meta({ id: "EdgeSyncAnswer" }),
    ),
    errors: {
      404: "You have no such node.",
      403:
        "The signature is none of the node's (`INVALID_SIGNATURE`), the node was revoked (`NODE_REVOKED`) or cut " +
        "off (`DID_CUT_OFF`).",
      409:
        "A change is missing before the first (`SEQUENCE`, `details.expected`), another body was sent under this " +
        "batchId (`BATCH_DIFFERS`), a batch of the node is under way (`BUSY`), you are in the other mode " +
        "(`OTHER_MODE`).",
    },
    example: {
      node: "0198f2a0-7c1e-7d3a-9b55-2f1f4f0c9a11",
      batchId: "b-41",
      changes: [
        {
          seq: 41,
          entity: "consumable",
          id: "0198f2a0-7c1e-7d3a-9b55-2f1f4f0c9a12",
          op: "delta",
          field: "level",
          value: -20,
          hlc: "001795386000000.00000",
        },
      ],
      signature: "c2lnbmF0dXJl",
    },
    description:
      "Each change is applied with your current rights, as if you had made it here, and gets its own " +
      "result: `applied`; `duplicate`, received before; `conflict`, kept beside another value until a " +
      "person decides (`GET /api/edge-sync/conflicts`); `rejected` permanently, with the code that the " +
      "same change would get here. A rejected change does not block later ones. The changes of a node " +
      "are numbered without gaps and sent in order; they may be sent again. Of a field with several " +
      "values, the one with the latest stamp is shown; a stamp ahead of the hub's time counts as now. A " +
      "delete removes what it names, and nothing that its author had not seen.",
    async handler(ctx) {
      const { node, batchId } = ctx.params;
      await demandSender(this, ctx, ctx.params);
      const { answers, lastSeq } = await takeBatch(this, commonsOf(this.broker).leases, ctx, ctx.params);
      await follow(this).catch((error: Error) => this.logger.warn(`Edge sync: ${error.message}`));
      return { node, batchId, answers, lastSeq, time: iso(this.world.clock.now()) };
    },
  }),

  getFields: endpoint({
    rest: "GET /fields",
    summary: "What values the fields take that edge nodes carry",
    permit: CARRY,
    beyond: true,
    returns: data(z.object({ entities: FieldsText, time: Time })),
    description:
      "A node judges by it what is written while it is cut off. What depends on other fields, or on other records, is " +
      "judged when it is sent.",
    handler() {
      return { entities: fieldsTold(), time: iso(this.world.clock.now()) };
    },
  }),

  getDelta: endpoint({
    rest: "GET /sync/delta",
    summary: "Download what changed for an edge node since its last request",
    permit: CARRY,
    noStore: true,
    query: {
      node: TextId.describe("The id of your edge node."),
      cursor: z
        .string()
        .max(LONGEST_CURSOR)
        .optional()
        .describe("Cursor of the last answer; without it, starts from the beginning."),
      limit: z.int().min(1).max(MOST_RECORDS).default(200).describe("Records per answer."),
    },
    returns: data(
      z
        .object({
          reset: z.boolean().describe("It starts again: discard everything except unsent changes."),
          records: z.array(
            z.object({
              ...Told,
              problemSetId: z.string().optional(),
              compartments: z.array(z.string()),
              state: StateText,
            }),
          ),
          tombstones: z
            .array(z.object({ ...Told, vector: StateText.shape.vector }))
            .describe("Deleted records without pending edits; listed for 90 days."),
          purge: z.array(z.int()).describe("Places that you may not see any more: let go of all they hold, first."),
          cursor: z.string(),
          upToDate: z.boolean().describe("False: ask again at once."),
          time: Time,
        })
        .meta({ id: "EdgeDelta" }),
    ),
    errors: {
      404: "You have no such node.",
      400: "The cursor does not belong to this node.",
      403: "The node was revoked (`NODE_REVOKED`), or cut off (`DID_CUT_OFF`).",
      409: "You are in the other mode (`OTHER_MODE`).",
      422: "You see too many places for a cursor (`TOO_MANY_PLACES`): enrol the node for certain problem sets.",
      410: "The cursor is older than 90 days (`CURSOR_EXPIRED`): start without one.",
    },
    description:
      "A record is sent complete: its values with their dots, its deletes, and for each node the last " +
      "change contained in it. It replaces what the node had, and the node reapplies those of its own " +
      "changes that are not in it yet. You receive only what you may see now: places you lost access to " +
      "are listed in `purge`, records you gained are sent from their first change.",
    handler(ctx) {
      return delta(this, ctx, ctx.params);
    },
  }),
};
