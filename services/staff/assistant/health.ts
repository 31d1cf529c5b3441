import { z } from "zod";
import { faultOf, type LlmStatus } from "../../../adapters/llm/llm.ts";
import { data } from "../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../core/contract/endpoint.ts";
import { Instant } from "../../../core/records/entity.ts";
import { REPLY_METHODS } from "../replies.ts";
import { Message } from "./messages/messages.ts";

const ANSWER_MS = 3_000;
/** More waiting questions than this mean degraded service. */
const MANY = 32;

export const AssistantHealth = z
  .object({
    status: z.enum(["ok", "degraded", "down"]),
    model: z.string().nullable().describe("What it is called; null without one."),
    circuit: z.enum(["closed", "open", "half-open"]),
    lastSuccessAt: Instant.nullable().describe("When the model last answered this node."),
    queue: z.int().describe("Questions that wait for the model on that node."),
    method: z.enum(REPLY_METHODS).describe("By which answers are written at the moment."),
    reason: z.string().nullable().describe("Why the model answers nothing at the moment."),
  })
  .meta({ id: "AssistantHealth" });
export type AssistantHealth = z.output<typeof AssistantHealth>;

const DOWN: AssistantHealth = {
  status: "down",
  model: null,
  circuit: "closed",
  lastSuccessAt: null,
  queue: 0,
  method: "heuristic",
  reason: null,
};

/** The health that follows from the model's state; while it does not answer, replies quote only. */
export function healthOf({ configured, model, circuit, waiting, lastAnswerAt, fault }: LlmStatus): AssistantHealth {
  const why = circuit === "open" ? "circuit-open" : fault;
  return {
    status: configured && (circuit !== "closed" || why || waiting > MANY) ? "degraded" : "ok",
    model: configured ? (model ?? "default") : null,
    circuit,
    lastSuccessAt: lastAnswerAt ?? null,
    queue: waiting,
    method: configured && !why ? "llm" : "heuristic",
    reason: configured && why ? faultOf({ kind: why }) : null,
  };
}

const late = (): Promise<never> =>
  new Promise((_resolve, reject) => setTimeout(() => reject(new Error("late")), ANSWER_MS).unref());

async function health(host: Host): Promise<AssistantHealth> {
  const [status] = await Promise.all([
    host.world.llm.status(),
    host.store(Message).collection.findById("nothing"),
    host.ask("agents.assistant.paused", {}, { timeout: ANSWER_MS }),
  ]);
  return healthOf(status);
}

export const healthActions = {
  getHealth: endpoint({
    rest: "GET /health",
    summary: "Check the health of the assistant",
    permit: "signed-in",
    returns: data(AssistantHealth),
    description:
      "`ok`, also without a model, when it answers in sentences quoted from what it read; `degraded` " +
      "while the model is configured but unavailable or overloaded; `down` if its store or the gate of " +
      "agents does not answer. It is part of the platform, not a separate process. Never a 5xx.",
    handler() {
      return Promise.race([health(this), late()]).catch(() => DOWN);
    },
  }),
};
