import { useMemo, type ReactNode } from "react";
import { Link, NavLink, useParams, useSearchParams } from "react-router";
import { useAnswer } from "../../api/hooks.ts";
import { useLive } from "../../live/live.ts";
import { Loading, Page, Section, Shown } from "../../parts/page.tsx";
import { many, Time } from "../../parts/texts.tsx";
import { KnowledgeTabs } from "../area.tsx";
import { PutInto } from "../graph/workspaces/put-into.tsx";
import { Candidates } from "../likeness/candidates.tsx";
import { chosenAround } from "../picture/choosing.ts";
import { Picture } from "../picture/picture.tsx";
import { useMayIn } from "../../app/sets.ts";
import { useTitles } from "../sets.ts";
import { kindWords, type EntityWhole } from "../vocabulary.ts";
import { Facts } from "./facts.tsx";
import { Relations } from "./relations.tsx";
import { factsOf } from "./statements.ts";
import { OtherEnd, Way } from "./way.tsx";

const MOST_ASKED = 600;

/** One entity at its own address: what is said of it, whom it is joined with, and the words for each. */
export function Entity(): ReactNode {
  const { entityId = "" } = useParams();
  const entity = useAnswer("GET /graph/actors/{id}", [{ path: { id: entityId } }], { keepsShown: true });
  const whole = entity.data?.data;
  useLive(whole && { problemSetId: whole.problemSetId }, ["graph.changed"]);
  if (!whole || entity.error)
    return (
      <Page title="Entity">
        <KnowledgeTabs setId={undefined} />
        <Shown of={entity}>{() => <Loading />}</Shown>
      </Page>
    );
  return <Whole key={whole.id} whole={whole} />;
}

function Whole({ whole }: { whole: EntityWhole }): ReactNode {
  const { id, name, type, problemSetId, mentions, sources, since, last } = whole;
  const may = useMayIn(problemSetId);
  const titles = useTitles(problemSetId);
  const statements = useAnswer("GET /graph/statements", [{ query: { entityId: id, limit: 100 } }]);
  return (
    <Page
      title={name}
      intro={
        <>
          {kindWords(type)}, named {many(mentions, "time")} in {many(sources, "source")}, last <Time at={last} />
          {since !== last && (
            <>
              , first <Time at={since} />
            </>
          )}
          .
        </>
      }
      acts={
        <>
          <PutInto entity={whole} />
          <Link className="button" to={`/knowledge?set=${problemSetId}`}>
            Find another
          </Link>
        </>
      }
    >
      <KnowledgeTabs setId={problemSetId} />
      <div className="beside">
        <Around whole={whole} />
        <div className="stack">
          <Shown of={statements}>{({ data }) => <Facts whole={whole} facts={factsOf(data)} titles={titles} />}</Shown>
          <Candidates setId={problemSetId} entityId={id} mayJudge={may("graph:edit")} />
          <OtherEnd from={whole} />
        </div>
      </div>
      <Way from={whole} />
      <Relations whole={whole} statements={statements.data?.data ?? []} titles={titles} />
    </Page>
  );
}

/** Its neighbourhood as a picture. */
function Around({ whole: { id, name, problemSetId, degree } }: { whole: EntityWhole }): ReactNode {
  const [search] = useSearchParams();
  const depth = search.get("steps") === "2" ? 2 : 1;
  const query = { problemSetId, entityId: id, depth, nodes: MOST_ASKED, edges: 2_500 };
  const graph = useAnswer("GET /graph", [{ query }], { keepsShown: true });
  const data = graph.data?.data;
  const part = useMemo(() => data && chosenAround(data, id), [data, id]);
  return (
    <Section
      title={`Around ${name}`}
      acts={
        <nav className="row" aria-label="How far the picture goes">
          {[1, 2].map((steps) => (
            <NavLink
              key={steps}
              className={steps === depth ? "button chosen" : "button"}
              aria-current={steps === depth ? "true" : undefined}
              to={steps === 1 ? "?" : `?steps=${steps}`}
              replace
            >
              {steps === 1 ? "Neighbours" : "Their neighbours too"}
            </NavLink>
          ))}
        </nav>
      }
    >
      {degree === 0 && <p className="empty">No source joins it with anything else, so it stands alone.</p>}
      <Shown of={graph} what="Drawing the picture">
        {() => part && <Picture graph={part} centre={id} label={`What is around ${name}`} />}
      </Shown>
    </Section>
  );
}
