import { z } from "zod";
import { bare, list } from "../../../core/contract/answer.ts";
import { endpoint } from "../../../core/contract/endpoint.ts";
import { CursorMeta, MOST_ROWS, paging, TextId } from "../../../core/records/entity.ts";
import { PersonId } from "../../../core/access/person-reference.ts";
import { peopleNames } from "./people.ts";

const Person = z
  .object({ userId: PersonId, did: z.string(), role: z.string().describe("Role in the problem set.") })
  .meta({ id: "Person" });
type Person = z.output<typeof Person>;

/** Who people are to one another. */
export const people = {
  "persons.list": endpoint({
    rest: "GET /people",
    summary: "List the people of a problem set to choose from",
    permit: "signed-in",
    beyond: true,
    within: { set: "problemSetId", may: "members:read" },
    description:
      "Its active members by user id, with their names (`userName`). Other answers also show names " +
      "beside the ids of people, for those who are in the same problem set or acted in it.",
    query: {
      problemSetId: TextId.describe("The problem set whose people to list."),
      cursor: TextId.optional().describe("`meta.next` of the previous page."),
      limit: paging.limit,
    },
    returns: list(Person, CursorMeta),
    async handler(ctx) {
      const { problemSetId, cursor } = ctx.params;
      const limit = Math.min(ctx.params.limit, MOST_ROWS);
      const found = await this.ask<Person[]>("problem-sets.membersOf", {
        problemSetId,
        limit: limit + 1,
        ...(cursor !== undefined && { cursor }),
      });
      const data = found.slice(0, limit);
      return { data, meta: { limit, next: found.length > limit ? data.at(-1)!.userId : null } };
    },
  }),

  "persons.names": endpoint({
    summary: "What persons are called; of a problem set only those who are in it or acted there",
    permit: "internal",
    body: { asked: z.array(z.object({ person: z.string(), problemSetId: TextId.optional() })) },
    returns: bare(z.array(z.string().nullable())),
    handler(ctx) {
      return peopleNames(this, ctx.params.asked);
    },
  }),
};
