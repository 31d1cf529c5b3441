import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import { useLive } from "../../live/live.ts";
import { PageOfSet } from "../area.tsx";
import { useMayIn, type MySet } from "../../app/sets.ts";
import { Exchange } from "./exchange.tsx";
import { Known } from "./known.tsx";
import { News } from "./stories.tsx";
import { ReadIn } from "./reading.tsx";
import { Report } from "./report.tsx";

/** Where a graph gets what it knows: reports, the news, and graphs from elsewhere. */
export const Feed = (): ReactNode => (
  <PageOfSet
    title="Add to the graph"
    intro="Reports and news are read for names and relations; each keeps the words that it comes from."
  >
    {(set) => <Ways set={set} />}
  </PageOfSet>
);

function Ways({ set }: { set: MySet }): ReactNode {
  const [search] = useSearchParams();
  const may = useMayIn(set.id);
  const documentId = search.get("document");
  useLive({ problemSetId: set.id }, ["document.changed", "graph.changed"]);
  const mayBuild = may("graph:build");
  return (
    <>
      {documentId && <ReadIn key={documentId} documentId={documentId} setId={set.id} mayBuild={mayBuild} />}
      {may("documents:add") && mayBuild && <Report setId={set.id} />}
      <div className="columns">
        <Known setId={set.id} mayBuild={mayBuild} />
        <News setId={set.id} mayRecord={may("events:record")} />
      </div>
      <Exchange set={set} mayImport={may("graph:edit")} />
    </>
  );
}
