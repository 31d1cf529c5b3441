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
    summary: "Take in what an edge node changed while it was away",
    permit: CARRY,
    inflates: true,
    bodyLimit: MOST_BYTES,
    body: {
      node: TextId.describe("The node, as it was enrolled (`POST /api/edge-sync/nodes`)."),
      batchId: z.string().min(1).max(64).describe("Names what is sent at once: sent again, it is answered the same."),
      changes: z.array(ChangeText).min(1).max(MOST_CHANGES),
      signature: z
        .string()
        .max(1_024)
        .regex(/^[\w-]+$/, "Base64url without padding.")
        .describe("By a key of the node's DID, over the canonical JSON (RFC 8785) of the body without it."),
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
      "Each change is taken with your rights of the moment, as if you had made it here, and answered by itself: " +
      "`applied`; `duplicate`, had before; `conflict`, kept beside another value until a person decides (`GET " +
      "/api/edge-sync/conflicts`); `rejected` for good, with the code that the same change would get here. A " +
      "rejected one holds nothing up. Changes of one node are numbered without a gap and come in their order; " +
      "what came before may come again. Of a field with several values the one with the latest stamp is shown; a " +
      "stamp ahead of the hub's time counts as now. A delete takes with it what it names, and nothing that its " +
      "maker had not seen.",
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
    summary: "Tell an edge node what changed since it asked last",
    permit: CARRY,
    noStore: true,
    query: {
      node: TextId.describe("The id of your edge node."),
      cursor: z.string().max(LONGEST_CURSOR).optional().describe("Of the last answer; without one it begins anew."),
      limit: z.int().min(1).max(MOST_RECORDS).default(200).describe("Records an answer."),
    },
    returns: data(
      z
        .object({
          reset: z.boolean().describe("It begins anew: let go of everything but what you have not sent."),
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
            .describe("Deleted, and nobody's edit waits in them; told for 90 days."),
          purge: z.array(z.int()).describe("Places that you may not see any more: let go of all they hold, first."),
          cursor: z.string(),
          upToDate: z.boolean().describe("False: ask again at once."),
          time: Time,
        })
        .meta({ id: "EdgeDelta" }),
    ),
    errors: {
      404: "You have no such node.",
      400: "The cursor is none of this node's.",
      403: "The node was revoked (`NODE_REVOKED`), or cut off (`DID_CUT_OFF`).",
      409: "You are in the other mode (`OTHER_MODE`).",
      422:
        "You see so many places that no cursor holds them (`TOO_MANY_PLACES`): enrol the node for some problem " +
        "sets.",
      410: "The cursor is older than 90 days (`CURSOR_EXPIRED`): begin without one.",
    },
    description:
      "A record comes whole: its values with their dots, deletes, and by node the last change that is in it. It " +
      "replaces what the node had of it, and the node puts on it those of its changes that are not in there yet. " +
      "Nothing is told that you may not see now: what was taken from you is named in `purge`, what you were " +
      "given begins at its first change.",
    handler(ctx) {
      return delta(this, ctx, ctx.params);
    },
  }),
};
