import { z } from "zod";
import type { ChatMessage, ToolDecision, OfferedTool, ToolForm } from "../port.ts";
import { formRule, parseAnswer, type ParseResult } from "./structured.ts";
import type { ModelReply, RawCall } from "./wire.ts";

type Acts = ToolDecision["acts"];

const Arguments = z.record(z.string(), z.unknown());

/** What the model must write where tools are offered in words. */
export const actSchema = (tools: readonly Pick<OfferedTool, "name">[]) =>
  z.object({ act: z.enum(tools.map(({ name }) => name)), arguments: Arguments.default({}) });

/** The schema for reading: arguments may stand beside the act, where small models put them. */
const looseSchema = (tools: readonly Pick<OfferedTool, "name">[]) =>
  z.looseObject({ ...actSchema(tools).shape }).transform(({ act, arguments: given, ...beside }) => ({
    tool: act,
    arguments: Object.keys(given).length ? given : (beside as Record<string, unknown>),
  }));

/** What is said of tools in words: what there is, and how one is chosen. */
export const toolRules = (tools: readonly OfferedTool[]): { tools: string; form: string } => ({
  tools: ["Tools:", ...tools.map((tool) => JSON.stringify(tool))].join("\n\n"),
  form: `Use one tool: "act" is its name, and "arguments" what it takes. ${formRule(actSchema(tools))}`,
});

/** The messages as they are sent. What is said of tools joins the first system message: some endpoints take one only. */
export function messagesIn(
  form: ToolForm,
  messages: readonly ChatMessage[],
  tools: readonly OfferedTool[],
): readonly ChatMessage[] {
  if (form === "native") return messages;
  const said = Object.values(toolRules(tools)).join("\n\n");
  const [first, ...rest] = messages;
  return first?.role === "system"
    ? [{ role: "system", content: `${first.content}\n\n${said}` }, ...rest]
    : [{ role: "system", content: said }, ...messages];
}

function argumentsOf({ name, arguments: given }: RawCall): ParseResult<Record<string, unknown>> {
  if (given === undefined || given === null || given === "") return { ok: true, value: {} };
  let parsed = given;
  if (typeof given === "string")
    try {
      parsed = JSON.parse(given);
    } catch (error) {
      return {
        ok: false,
        complaint: `The arguments of ${name} are no JSON: ${(error as Error).message.slice(0, 200)}`,
      };
    }
  const result = Arguments.safeParse(parsed);
  return result.success
    ? { ok: true, value: result.data }
    : { ok: false, complaint: `The arguments of ${name} are no JSON object.` };
}

function readCalls(calls: readonly RawCall[], tools: readonly OfferedTool[]): ParseResult<Acts> {
  const acts: Acts = [];
  for (const call of calls) {
    if (!tools.some(({ name }) => name === call.name))
      return { ok: false, complaint: `There is no tool ${JSON.stringify(call.name.slice(0, 100))}.` };
    const given = argumentsOf(call);
    if (!given.ok) return given;
    acts.push({ tool: call.name, arguments: given.value });
  }
  return { ok: true, value: acts };
}

/** What was chosen: by calls where there are any, else by what is written, amid prose only where that was asked for. */
export function readActs(
  { content, calls }: ModelReply,
  tools: readonly OfferedTool[],
  form: ToolForm,
): ParseResult<Acts> {
  if (form === "native" && calls.length) return readCalls(calls, tools);
  if (form === "native" && !isWholeJson(content)) return { ok: false, complaint: "The answer calls no tool." };
  const reading = parseAnswer(content, looseSchema(tools));
  return reading.ok ? { ok: true, value: [reading.value] } : reading;
}

function isWholeJson(content: string): boolean {
  const bare = content
    .trim()
    .replace(/^```(?:json)?/, "")
    .replace(/```$/, "");
  try {
    return Object.hasOwn(Object(JSON.parse(bare)), "act");
  } catch {
    return false;
  }
}

/** What it answered, as it is told back when it is asked once more. */
export const echoOf = ({ content, calls }: ModelReply): string =>
  [content, ...calls.map((call) => JSON.stringify(call))].filter(Boolean).join("\n");
