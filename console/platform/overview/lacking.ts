import type { Answer } from "../../api/client.ts";
import { useAnswer } from "../../api/hooks.ts";
import { useMay } from "../../app/session.tsx";

export interface Lacking {
  what: string;
  why: string;
  /** Where one sees to it, and the verb. */
  to?: string;
  act?: string;
  isBad?: boolean;
}

/** What the overview judges by; parts that this person may not see are undefined. */
interface Installation {
  models: Answer<"GET /admin/llm-models">;
  nodes: Answer<"GET /admin/nodes">["data"];
  failed: Answer<"GET /jobs">["data"] | undefined;
  letters: Answer<"GET /admin/letters"> | undefined;
}

const BUSY = 0.9;
const DAY_MS = 86_400_000;

export function useInstallation(): Installation | undefined {
  const [mayJobs, mayLetters] = [useMay("jobs:administer"), useMay("users:administer")];
  const models = useAnswer("GET /admin/llm-models").data;
  const nodes = useAnswer("GET /admin/nodes").data;
  const failed = useAnswer("GET /jobs", [{ query: { status: "failed", limit: 20 } }], { enabled: mayJobs }).data;
  const letters = useAnswer("GET /admin/letters", [], { enabled: mayLetters }).data;
  if (!models || !nodes || (mayJobs && !failed) || (mayLetters && !letters)) return undefined;
  return { models, nodes: nodes.data, failed: failed?.data, letters };
}

/** What an administrator should see to, the worst first. */
export function lackingOf({ models, nodes, failed, letters }: Installation, now = Date.now()): Lacking[] {
  const silent = nodes.nodes.filter(({ state }) => !state);
  const busy = nodes.nodes.filter(({ state }) => state && state.busy > BUSY);
  const lately = failed?.filter(({ endedAt }) => endedAt && now - Date.parse(endedAt) < DAY_MS) ?? [];
  const versions = new Set(nodes.nodes.flatMap(({ state }) => (state ? [state.version] : [])));
  const found: (Lacking | false)[] = [
    silent.length > 0 && {
      what: `${silent.map(({ node }) => node).join(", ")} did not answer.`,
      why: "It may be overloaded, or gone without saying so.",
      isBad: true,
    },
    busy.length > 0 && {
      what: `${busy.map(({ node }) => node).join(", ")} works without a pause.`,
      why: "Requests wait, or are refused. Run another node, or a larger one.",
      isBad: true,
    },
    models.meta.stale && {
      what: "The language model does not answer.",
      why: "Rules do its work until it does.",
      to: "/platform/settings/llm",
      act: "Look at its settings",
      isBad: true,
    },
    lately.length > 0 && {
      what: lately.length === 1 ? "A job failed since yesterday." : `${lately.length} jobs failed since yesterday.`,
      why: "Their lines say why.",
      to: "/platform/jobs?status=failed",
      act: "Look at them",
      isBad: true,
    },
    versions.size > 1 && {
      what: `Nodes run ${versions.size} versions.`,
      why: "That is as it should be during an update, and only then.",
    },
    letters?.meta.mailServer === false && {
      what: "No mail server is set.",
      why: "Letters go to nobody: sign-in links, confirmations, briefings. Set SMTP_URL where the platform is started.",
      to: "/platform/letters",
      act: "See the letters",
    },
    !models.meta.configured && {
      what: "No language model is set.",
      why: "All works without one, by rules; with one, texts are better.",
      to: "/platform/settings/llm",
      act: "Set one",
    },
  ];
  return found.filter((one) => one !== false);
}
