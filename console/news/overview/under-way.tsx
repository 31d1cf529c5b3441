import type { ReactNode } from "react";
import { Link } from "react-router";
import type { ListRow } from "../../api/client.ts";
import { useAnswer } from "../../api/hooks.ts";
import { useLive } from "../../live/live.ts";
import { Section } from "../../parts/page.tsx";
import { Progress } from "../../parts/texts.tsx";

type Job = ListRow<"GET /jobs">;

/** What long work is, for whoever started it. Other kinds are told by their names. */
const WORK: Record<string, string> = {
  "briefings.generate": "A briefing is being made",
  "verification.deep": "An article is being verified",
  "verification.batch": "Articles are being verified",
  "verification.compare": "New articles are being compared",
  "articles.remove-of-source": "The articles of a source are being removed",
  "search.reindex": "The search index is being made anew",
  "problem-sets.build-scenario": "A problem set is being opened from a scenario",
  "documents.read": "A document is being read",
  "graph.build": "A graph is being built",
  "graph.centrality": "The actors of a graph are being compared",
  "graph.duplicates": "Duplicates are being looked for",
  "strategic-agents.cycle": "An intelligence cycle is under way",
  "strategic.review": "A review is being made",
  "strategic.extract": "Objectives are being read out of a document",
  "cop.generate": "A picture is being drawn",
  "agents.drive": "An agent is at work",
  "orchestration.drive": "A workflow of agents is under way",
  "assistant.reply": "The assistant is answering",
};
const wordsOfWork = ({ kind }: Job): string => WORK[kind] ?? `Under way: ${kind.replaceAll(/[.-]/g, " ")}`;
const isUnderWay = ({ status }: Job): boolean => status === "running" || status === "queued";

/** Work that is not done yet, with how far it is; nothing where there is none. */
export function UnderWay(): ReactNode {
  const jobs = useAnswer("GET /jobs", [{ query: { limit: 20 } }]);
  const waiting = jobs.data?.data.filter(isUnderWay) ?? [];
  return waiting.length ? <Work jobs={waiting} /> : null;
}

function Work({ jobs }: { jobs: readonly Job[] }): ReactNode {
  useLive(undefined, ["job.changed"], undefined, { ops: ["GET /jobs"] });
  return (
    <Section title="Being made now">
      <ul className="list">
        {jobs.map((job) => (
          <li key={job.id}>
            <Progress label={wordsOfWork(job)} {...(job.total && { done: job.done ?? 0, total: job.total })} />
            {job.kind === "briefings.generate" && <Link to={`/news/briefings/${job.id.split(":")[1]}`}>Open it</Link>}
          </li>
        ))}
      </ul>
    </Section>
  );
}
