import type { ReactNode } from "react";
import { Link, Outlet, Route, Routes, useParams } from "react-router";
import { useAnswer } from "../../api/hooks.ts";
import { BarrierOf } from "../../app/compartments.tsx";
import { useMySets } from "../../app/sets.ts";
import { NotFound } from "../../app/shell.tsx";
import { useLive } from "../../live/live.ts";
import { Page, PageOf } from "../../parts/page.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { KnowledgeTabs } from "../area.tsx";
import { IntentPage } from "./intent/intent.tsx";
import { About } from "./objective.tsx";
import { OperationsPage } from "./plan/operations.tsx";
import { RisksPage } from "./risks/risks.tsx";
import { KIND_WORDS, objectiveAddress, type KnownObjective } from "./tree.ts";
import { ValidityPage } from "./validity/validity.tsx";

/** What is told of an objective's intent, tasks and risks comes as the activity of its set. */
const OF_IT: readonly string[] = ["intent.changed", "operations.changed", "risk.assessed", "risk.reviewed"];

/** One objective on several pages: what it says, and what is meant, done, feared and known of it. */
export function Objective(): ReactNode {
  const { objectiveId = "" } = useParams();
  const objective = useAnswer("GET /strategic/objectives/{id}", [{ path: { id: objectiveId } }]);
  const whole = objective.data?.data;
  useLive(
    whole && { problemSetId: whole.problemSetId },
    ["objective.changed", "validity.changed", "activity.item"],
    (event, { data }) => event !== "activity.item" || OF_IT.includes(data.kind),
  );
  return (
    <PageOf
      key={objectiveId}
      of={objective}
      title="Objective"
      back={<Link to="/knowledge/strategy">All objectives</Link>}
    >
      {({ data }) => (
        <Routes>
          <Route element={<Frame objective={data} />}>
            <Route index element={<About objective={data} />} />
            <Route path="intent" element={<IntentPage objective={data} />} />
            <Route path="operations" element={<OperationsPage objective={data} />} />
            <Route path="risks" element={<RisksPage objective={data} />} />
            <Route path="validity" element={<ValidityPage objective={data} />} />
          </Route>
          <Route path="*" element={<NotFound />} />
        </Routes>
      )}
    </PageOf>
  );
}

const PARTS = [
  ["", "What it says"],
  ["intent", "Intent"],
  ["operations", "What is done"],
  ["risks", "Risks"],
  ["validity", "How far it holds"],
] as const;

function Frame({ objective }: { objective: KnownObjective }): ReactNode {
  const { id, statement, description, problemSetId, kind } = objective;
  const set = useMySets().data?.data.find((one) => one.id === problemSetId);
  return (
    <Page
      title={statement}
      intro={
        <>
          {set && (
            <>
              <Link to={`/workspace/${problemSetId}`}>{set.name}</Link>:{" "}
            </>
          )}
          {description ?? KIND_WORDS[kind ?? "objective"]}
        </>
      }
      acts={
        <Link className="button" to={`/knowledge/strategy?set=${problemSetId}`}>
          All objectives
        </Link>
      }
    >
      <KnowledgeTabs setId={problemSetId} />
      {objective.compartments.length > 0 && (
        <p className="row">
          <BarrierOf {...objective} />
        </p>
      )}
      <Tabs
        label="The objective"
        of={PARTS.map(([part, words]) => ({ to: `${objectiveAddress(id)}${part && `/${part}`}`, words }))}
      />
      <Outlet />
    </Page>
  );
}
