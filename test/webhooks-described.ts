import { Ajv2020 } from "ajv/dist/2020.js";
import type { TestWorld } from "./mesh.ts";

/** What was sent to a receiver, held against what the OpenAPI document says of it: what is wrong, none where it fits. */
export async function misfits(
  at: TestWorld,
  name: string,
  { headers, body }: { headers: Readonly<Record<string, unknown>>; body: string },
): Promise<string[]> {
  const document = (await at.http("GET", "/api/openapi.json")).body;
  const { parameters, requestBody } = document.webhooks[name].post;
  const { schema } = requestBody.content["application/json"];
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  const fits = ajv.compile({ ...schema, components: { schemas: document.components.schemas } });
  const missing = (parameters as { name: string }[]).filter((one) => !headers[one.name.toLowerCase()]);
  return [...missing.map((one) => `no ${one.name}`), ...(fits(JSON.parse(body)) ? [] : [ajv.errorsText(fits.errors)])];
}
