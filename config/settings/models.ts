import { z } from "zod";
import { url } from "./forms.ts";

/** Models of language, and the bounds of agents. */
export const modelsSettings = {
  LLM_BASE_URL: url
    .optional()
    .describe("An OpenAI-compatible endpoint; without one, heuristics are used instead of a model."),
  LLM_API_KEY: z.string().optional().describe("API key for the endpoint."),
  LLM_MODEL: z.string().default("default").describe("Name of the model."),
  LLM_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .min(100)
    .max(600_000)
    .default(60_000)
    .describe("Longest wait for an answer from the model."),
  LLM_MAX_RETRIES: z.coerce
    .number()
    .int()
    .min(0)
    .max(10)
    .default(2)
    .describe("Retries after a transient failure of the model."),
  LLM_PRICE_IN: z.coerce
    .number()
    .min(0)
    .optional()
    .describe("Price of 1,000,000 input tokens, in any currency; answers then include their cost."),
  LLM_PRICE_OUT: z.coerce.number().min(0).optional().describe("Price of 1,000,000 output tokens."),
  LLM_DAILY_COST: z.coerce.number().min(0).optional().describe("Daily cost budget, at those prices."),
  LLM_DAILY_TOKENS: z.coerce.number().int().min(0).optional().describe("Daily token budget."),
  LLM_CONCURRENCY: z.coerce
    .number()
    .int()
    .min(1)
    .max(256)
    .default(4)
    .describe("Concurrent requests to the model per process."),
  AGENT_RUNS: z.coerce.number().int().min(1).max(1_000).default(20).describe("Concurrent agent runs per person."),
  AGENT_STEPS: z.coerce.number().int().min(1).max(50).default(50).describe("Most steps in one run of an agent."),
  AGENT_CALLS: z.coerce.number().int().min(1).max(50).default(50).describe("Most tool calls in one run of an agent."),
  AGENT_TOKENS: z.coerce
    .number()
    .int()
    .min(1)
    .max(200_000)
    .default(200_000)
    .describe("Most model tokens in one run of an agent."),
  AGENT_COST: z.coerce
    .number()
    .positive()
    .max(1_000_000)
    .optional()
    .describe("Highest model cost of one run of an agent, at the prices above."),
  AGENT_APPROVAL_HOURS: z.coerce
    .number()
    .min(1)
    .max(720)
    .default(24)
    .describe("How long an agent's act waits for a person's approval."),
  AGENT_DELEGATION_DAYS: z.coerce
    .number()
    .min(1)
    .max(90)
    .default(90)
    .describe("Longest term of a delegation to an agent."),
} as const;
