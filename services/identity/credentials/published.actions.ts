import { z } from "zod";
import { bare, data } from "../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../core/contract/endpoint.ts";
import { FORMATS } from "./credentials.ts";
import { contextOf, KIND_NAMES, CREDENTIAL_KINDS, schemaOf, schemaUrl } from "./kinds.ts";
import { baseOf, publishedList, type PublishedLists } from "./status/publishing.ts";
import { PURPOSES } from "./status/status-lists.ts";

export interface Credentials extends Host {
  published: PublishedLists;
}

const Json = z.record(z.string(), z.unknown());

const KindView = z
  .object({
    kind: z.enum(KIND_NAMES),
    type: z.string(),
    title: z.string(),
    description: z.string(),
    subject: z.enum(["person", "thing"]),
    schema: z.url().describe("Where its JSON Schema is published."),
    formats: z.array(z.enum(FORMATS)),
    issue: z.string().describe("Path of the call that issues it."),
  })
  .meta({ id: "CredentialKind" });

/** What verifiers elsewhere fetch. */
export const publishedParts = {
  "types.list": endpoint({
    rest: "GET /types",
    summary: "List the kinds of credential",
    permit: "signed-in",
    returns: data(z.array(KindView)),
    handler() {
      return KIND_NAMES.map((kind) => {
        const { type, title, summary, subject } = CREDENTIAL_KINDS[kind];
        const schema = schemaUrl(baseOf(this), kind);
        return {
          kind,
          type,
          title,
          description: `${summary}.`,
          subject,
          schema,
          formats: [...FORMATS],
          issue: `/api/credentials/issue/${kind}`,
        };
      });
    },
  }),

  "statusLists.get": endpoint({
    rest: "GET /status/:list/:purpose",
    summary: "Read a status list, as a signed credential",
    permit: "public",
    beyond: true,
    cacheSeconds: 60,
    path: {
      list: z.int().min(1).max(999_999_999).describe("The number of the list, as a credential names it."),
      purpose: z.enum(PURPOSES).describe("What a mark in it means."),
    },
    returns: bare(Json),
    handler(ctx) {
      return publishedList(this, (this as unknown as Credentials).published, ctx.params.list, ctx.params.purpose);
    },
  }),

  "schemas.get": endpoint({
    rest: "GET /schemas/:kind",
    summary: "Read the JSON Schema of a kind of credential",
    permit: "public",
    beyond: true,
    cacheSeconds: 3_600,
    path: { kind: z.enum(KIND_NAMES).describe("The kind of credential.") },
    returns: bare(Json),
    handler(ctx) {
      return schemaOf(baseOf(this), ctx.params.kind);
    },
  }),

  getContext: endpoint({
    rest: "GET /context",
    summary: "Read the JSON-LD context of our credentials",
    permit: "public",
    beyond: true,
    cacheSeconds: 3_600,
    returns: bare(Json),
    handler() {
      return contextOf(baseOf(this));
    },
  }),
};
