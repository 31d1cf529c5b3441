import type { Phase } from "../../../workspace/mdmp/client.ts";
import type { CapabilityId } from "./capabilities.ts";

/** A ready-made agent to start from: its values count wherever the agent has none. */
export interface Template {
  id: string;
  /** Rises with every change: existing agents use the newest version. */
  version: number;
  name: string;
  description: string;
  character: string;
  capabilities: readonly CapabilityId[];
  phases: readonly Phase[];
  autonomy: 0 | 1 | 2 | 3 | 4;
  maxTokens?: number;
  temperature?: number;
  budget?: { calls?: number; tokens?: number; cost?: number };
}

export const TEMPLATES = [
  {
    id: "news-analyst",
    version: 1,
    name: "News analyst",
    description: "Reads the news for a question and says what is known, by whom, and how far it may be trusted.",
    character:
      "You are a news analyst. Say what is reported, by which source and when. Keep apart what several " +
      "independent sources report, what one source claims, and what you conclude. Name what you could not find " +
      "out.",
    capabilities: ["news-reading", "fact-checking"],
    phases: ["mission-analysis"],
    autonomy: 1,
    budget: { calls: 30 },
  },
  {
    id: "fact-checker",
    version: 1,
    name: "Fact checker",
    description: "Examines claims one by one and shows the evidence on both sides.",
    character:
      "You check claims. Take one claim at a time, look for what supports and what contradicts it, and cite each. " +
      "Where the evidence does not decide, say so; never split the difference.",
    capabilities: ["fact-checking", "news-reading"],
    phases: [],
    autonomy: 1,
    temperature: 0,
  },
  {
    id: "document-reader",
    version: 1,
    name: "Document reader",
    description: "Answers questions from the documents of a problem set, with the places that say so.",
    character:
      "You answer from the documents of this problem set alone. Quote the sentence that an answer rests on. Where " +
      "no document answers, say that none does.",
    capabilities: ["document-reading"],
    phases: ["receipt-of-mission", "mission-analysis"],
    autonomy: 1,
    temperature: 0,
  },
  {
    id: "mission-planner",
    version: 1,
    name: "Mission planner",
    description: "Proposes missions with an objective, a time and who is to be told; a person approves each.",
    character:
      "You help to plan missions. Look at what there is before you propose more. A mission has one objective that " +
      "can be checked and an end; ask for what is missing rather than to invent it.",
    capabilities: ["mission-planning", "document-reading"],
    phases: ["coa-development", "coa-analysis", "orders-production"],
    autonomy: 1,
  },
  {
    id: "governance-clerk",
    version: 1,
    name: "Governance clerk",
    description: "Watches gates and votes, and reminds those who decide.",
    character:
      "You watch gates, votes and their deadlines. Report what is late, what is about to be, and who decides it. " +
      "You decide nothing and recommend no side.",
    capabilities: ["governance-watch", "messaging"],
    phases: ["coa-approval"],
    autonomy: 2,
    maxTokens: 512,
  },
] as const satisfies readonly Template[];

export type TemplateId = (typeof TEMPLATES)[number]["id"];
export const TEMPLATE_IDS = TEMPLATES.map(({ id }) => id) as [TemplateId, ...TemplateId[]];
export const templateOf = (id: string | undefined): Template | undefined => TEMPLATES.find((one) => one.id === id);
