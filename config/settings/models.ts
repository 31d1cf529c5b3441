import { z } from "zod";
import { url } from "./forms.ts";

/** Models of language, and the bounds of agents. */
export const modelsSettings = {
  LLM_BASE_URL: url.optional().describe("An OpenAI-compatible endpoint; without it heuristics do the work."),
  LLM_API_KEY: z.string().optional().describe("Its key."),
  LLM_MODEL: z.string().default("default").describe("Its model."),
  LLM_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .min(100)
    .max(600_000)
    .default(60_000)
    .describe("Longest wait for an answer of the model."),
  LLM_MAX_RETRIES: z.coerce
    .number()
    .int()
    .min(0)
    .max(10)
    .default(2)
    .describe("Further attempts after a failure of the model that may pass."),
  LLM_PRICE_IN: z.coerce
    .number()
    .min(0)
    .optional()
    .describe("Price of 1,000,000 tokens of questions, in a currency of your own; answers then tell what they cost."),
  LLM_PRICE_OUT: z.coerce.number().min(0).optional().describe("Price of 1,000,000 tokens of answers."),
  LLM_DAILY_COST: z.coerce.number().min(0).optional().describe("Cost budget of a day, by those prices."),
  LLM_DAILY_TOKENS: z.coerce.number().int().min(0).optional().describe("Token budget of a day."),
  LLM_CONCURRENCY: z.coerce
    .number()
    .int()
    .min(1)
    .max(256)
    .default(4)
    .describe("Questions to the model under way at once, of one process."),
  AGENT_RUNS: z.coerce.number().int().min(1).max(1_000).default(20).describe("Runs of agents at once, of one person."),
  AGENT_STEPS: z.coerce.number().int().min(1).max(50).default(50).describe("Steps of one run of an agent."),
  AGENT_CALLS: z.coerce.number().int().min(1).max(50).default(50).describe("Calls of tools in one run of an agent."),
  AGENT_TOKENS: z.coerce
    .number()
    .int()
    .min(1)
    .max(200_000)
    .default(200_000)
    .describe("Tokens of the model in one run of an agent."),
  AGENT_COST: z.coerce
    .number()
    .positive()
    .max(1_000_000)
    .optional()
    .describe("Cost of the model in one run of an agent, by its prices."),
  AGENT_APPROVAL_HOURS: z.coerce
    .number()
    .min(1)
    .max(720)
    .default(24)
    .describe("How long an act of an agent waits for the yes of a person."),
  AGENT_DELEGATION_DAYS: z.coerce
    .number()
    .min(1)
    .max(90)
    .default(90)
    .describe("Longest term of a delegation to an agent."),
} as const;
