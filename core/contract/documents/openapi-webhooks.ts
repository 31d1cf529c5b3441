import type { MeshService } from "../contract.ts";
import { webhooksOf } from "../catalogue.ts";
import type { Components, Json } from "./openapi-components.ts";

/** What the services send to receivers of others, by name: the `webhooks` of OpenAPI 3.1. */
export const webhooks = (services: Iterable<MeshService>, components: Components): Json =>
  Object.fromEntries(
    webhooksOf(services).map(({ service, webhook: { name, summary, description, body, headers } }) => [
      name,
      {
        post: {
          tags: [service],
          summary,
          description,
          parameters: Object.entries(headers).map(([header, words]) => ({
            name: header,
            in: "header",
            required: true,
            description: words,
            schema: { type: "string" },
          })),
          requestBody: {
            required: true,
            content: { "application/json": { schema: components.of(body, "output") } },
          },
          responses: {
            "2XX": { description: "You have it." },
            default: { description: "You do not have it." },
          },
          security: [],
        },
      },
    ]),
  );
