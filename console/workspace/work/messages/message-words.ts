import type { ListRow } from "../../../api/client.ts";

export type Channel = ListRow<"GET /messages/channels">;
export type ChannelMessage = ListRow<"GET /messages">;

/** The type of what people write to each other here. */
export const NOTE = "staff.note.sent";

export const PRIORITIES = [
  ["routine", "Routine"],
  ["priority", "Priority"],
  ["immediate", "Immediate"],
  ["flash", "Flash"],
] as const satisfies readonly (readonly [ChannelMessage["priority"], string])[];
export const CLASSIFICATIONS = ["unclassified", "restricted", "confidential", "secret", "top-secret"] as const;

/** The text of a message that says nothing else than a text. */
export function plainText({ payload }: Pick<ChannelMessage, "payload">): string | undefined {
  const { text, ...rest } = payload;
  return typeof text === "string" && !Object.keys(rest).length ? text : undefined;
}

/** A payload as lines of name and value, where it has no deeper structure; undefined otherwise. */
export function linesOf(payload: ChannelMessage["payload"]): readonly (readonly [string, string])[] | undefined {
  const entries = Object.entries(payload);
  return entries.length && entries.every(([, value]) => value === null || typeof value !== "object")
    ? entries.map(([name, value]) => [name, String(value)] as const)
    : undefined;
}

/** What a person typed as JSON. Throws an Error in words for people. */
export function payloadOf(json: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new Error(`This is not JSON: ${(error as Error).message}`, { cause: error });
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error("A message is a JSON object, in braces.");
  return value as Record<string, unknown>;
}
