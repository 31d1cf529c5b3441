import { z } from "zod";
import { parse } from "../../../core/contract/input/input.ts";
import { badRequest, invalid } from "../../../core/problem.ts";
import { fault } from "./refusals.ts";
import { MODES } from "./card.ts";
import { RUNS_IN } from "./tasks.ts";

// Unknown fields are ignored, so that newer clients are understood (A2A 1.0, 5.7).

const Id = z.string().min(1).max(200);
const Struct = z.record(z.string(), z.unknown());
const HistoryLength = z.int().min(0).optional();

const Part = z.object({
  text: z.string().optional(),
  raw: z.string().optional(),
  url: z.string().optional(),
  data: z.unknown().optional(),
  mediaType: z.string().max(200).optional(),
});
type Part = z.output<typeof Part>;

const Sent = z.object({
  tenant: z.string().max(200).optional(),
  message: z.object({
    messageId: Id,
    contextId: z.string().max(64).optional(),
    taskId: z.string().max(200).optional(),
    role: z.literal("ROLE_USER"),
    parts: z.array(Part).min(1).max(50),
  }),
  configuration: z
    .object({
      acceptedOutputModes: z.array(z.string().max(200)).max(50).optional(),
      taskPushNotificationConfig: z.unknown().optional(),
      historyLength: HistoryLength,
      returnImmediately: z.boolean().optional(),
    })
    .optional(),
  metadata: Struct.optional(),
});
export type SentMessage = z.output<typeof Sent>;

const CONTENTS = ["text", "raw", "url", "data"] as const;
const isOfType = (mediaType: string | undefined, type: string): boolean =>
  mediaType === undefined || mediaType === "" || mediaType.split(";")[0]!.trim().toLowerCase() === type;

/** The task and its input in a message's parts. Throws 400, naming the part. */
function contentOf(parts: readonly Part[]): { task: string; input?: Record<string, unknown> } {
  const texts: string[] = [];
  let input: Record<string, unknown> | undefined;
  for (const [at, part] of parts.entries()) {
    const path = `message.parts.${at}`;
    const said = CONTENTS.filter((name) => part[name] !== undefined);
    if (said.length !== 1) throw invalid([{ path, message: `It has one of ${CONTENTS.join(", ")}.` }]);
    const { text, data, mediaType } = part;
    if (text !== undefined && isOfType(mediaType, "text/plain")) texts.push(text);
    else if (data !== undefined && isOfType(mediaType, "application/json")) {
      if (input || !isObject(data))
        throw invalid([{ path: `${path}.data`, message: "A message has one object of data, no more." }]);
      input = data;
    } else throw fault("CONTENT_TYPE_NOT_SUPPORTED", `${path}: take ${MODES.join(" or ")}, in text or data.`);
  }
  const task = texts.join("\n\n").trim();
  if (!task) throw invalid([{ path: "message.parts", message: "No part says in text what is to be done." }]);
  return { task, ...(input && { input }) };
}

/** What `metadata.signalmesh` may add to a task beyond the protocol. */
const Further = z.strictObject({
  delegationId: z.unknown().optional(),
  compartments: z.unknown().optional(),
  tools: z.unknown().optional(),
  limits: z.unknown().optional(),
  dryRun: z.unknown().optional(),
});

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
/** An object without its null fields: in ProtoJSON null means "not set". */
const set = (value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null)) : value;

function withoutNulls(body: object): unknown {
  const { message, configuration, ...rest } = set(body) as Record<string, unknown>;
  const said = set(message);
  return {
    ...rest,
    ...(configuration !== undefined && { configuration: set(configuration) }),
    message: isObject(said) && Array.isArray(said["parts"]) ? { ...said, parts: said["parts"].map(set) } : said,
  };
}

/** The client's message, reduced to the fields we know. Throws 400. */
export function sentIn(body: unknown): SentMessage {
  if (!isObject(body)) throw badRequest("The body is no JSON object.");
  const sent = parse(Sent, withoutNulls(body));
  const { acceptedOutputModes: modes = [], taskPushNotificationConfig: push } = sent.configuration ?? {};
  if (push !== undefined && push !== null) throw noPush();
  const types = modes.map((mode) => mode.split(";")[0]!.trim().toLowerCase());
  if (types.length && !types.some((type) => [...MODES, "*/*", "text/*", "application/*"].includes(type)))
    throw fault("CONTENT_TYPE_NOT_SUPPORTED", `configuration.acceptedOutputModes: answers are ${MODES.join(" and ")}.`);
  return sent;
}

/** The message as parameters of the agent's action. */
export function orderIn({ message, metadata }: SentMessage): Record<string, unknown> {
  const { messageId, contextId, parts } = message;
  const further = parse(Further, metadata?.["signalmesh"] ?? {}, "metadata.signalmesh");
  return { ...further, ...contentOf(parts), messageId, ...(contextId && { problemSetId: contextId }) };
}

/** The client's field for each field that the action may complain about. */
const WRITTEN: Readonly<Record<string, string>> = {
  agentId: "tenant",
  task: "message.parts",
  input: "message.parts",
  problemSetId: "message.contextId",
  messageId: "message.messageId",
};
export function asWritten(path: string): string {
  const [first = "", ...rest] = path.split(".");
  return [WRITTEN[first] ?? (first in Further.shape ? `metadata.signalmesh.${first}` : first), ...rest].join(".");
}

export const noPush = () =>
  fault("PUSH_NOTIFICATION_NOT_SUPPORTED", "There are no push notifications; follow the task, or ask for it again.");

const number = (least: number, most?: number) =>
  z.preprocess(
    (given) => (typeof given === "string" && /^-?\d{1,9}$/.test(given) ? Number(given) : given),
    (most === undefined ? z.int().min(least) : z.int().min(least).max(most)).optional(),
  );
const Shown = z.object({ historyLength: number(0) });
const Listed = z.object({
  contextId: z.string().max(64).optional(),
  status: z.enum(["TASK_STATE_UNSPECIFIED", ...Object.keys(RUNS_IN)]).optional(),
  pageSize: number(1, 100),
  pageToken: z.string().max(500).optional(),
  historyLength: number(0),
  statusTimestampAfter: z.iso.datetime({ offset: true }).optional(),
  includeArtifacts: z.enum(["true", "false"]).optional(),
});

/** Query parameters without empty ones, which are defaults in ProtoJSON. */
const given = (query: URLSearchParams): Record<string, string> =>
  Object.fromEntries([...query].filter(([, value]) => value !== ""));
export const shownBy = (query: URLSearchParams) => parse(Shown, given(query));
export const listedBy = (query: URLSearchParams) => parse(Listed, given(query));
