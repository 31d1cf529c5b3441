import type { ReactNode } from "react";
import { Link } from "react-router";
import type { ListRow } from "../../api/client.ts";
import { useAnswer } from "../../api/hooks.ts";
import { Empty, Section, Shown } from "../../parts/page.tsx";
import { Badge, many, Progress } from "../../parts/texts.tsx";
import { Glyph } from "../picture/glyph.tsx";
import { entityAddress, relationWords, type EntityKind } from "../vocabulary.ts";
import { Origin, type Titles } from "../entity/origin.tsx";
import { useTitles } from "../sets.ts";

/** Where to begin who has not searched yet: what holds the graph together, and where there is friction. */
export const Beginnings = ({ setId }: { setId: string | undefined }): ReactNode => (
  <div className="columns">
    <MostCentral setId={setId} />
    <Tensions setId={setId} />
  </div>
);

const MOST = 8;
const ENDINGS: Readonly<Record<string, string>> = { one: "st", two: "nd", few: "rd", other: "th" };
const rules = new Intl.PluralRules("en", { type: "ordinal" });
const ordinal = (place: number): string => `${place}${ENDINGS[rules.select(place)]}`;

function MostCentral({ setId }: { setId: string | undefined }): ReactNode {
  const query = { limit: MOST, ...(setId && { problemSetId: setId }) };
  const central = useAnswer("GET /graph/centrality-comparison", [{ query }], { stays: true });
  const measuring = central.data?.data.status === "measuring" ? central.data.data.jobId : undefined;
  return (
    <Section title="Most central">
      <Shown of={central}>
        {({ data }) =>
          data.status === "measuring" ? (
            <Measuring jobId={measuring!} again={() => void central.refetch()} />
          ) : (
            <>
              {!data.entities.length && <Empty>There is nothing to be central in yet.</Empty>}
              <ol className="list">
                {data.entities.map(({ id, name, type, betweenness, degree }) => (
                  <li key={id}>
                    <Named id={id} name={name} type={type} />{" "}
                    <small className="muted">
                      {ordinal(degree.rank)} by number of neighbours
                      {betweenness.value > 0 && `, ${ordinal(betweenness.rank)} in linking others`}
                    </small>
                  </li>
                ))}
              </ol>
              {!data.exact && <p className="muted">The graph is large: places are estimates.</p>}
            </>
          )
        }
      </Shown>
    </Section>
  );
}

/** A large graph is measured by a job; the answer is there when it is done. */
function Measuring({ jobId, again }: { jobId: string; again(): void }): ReactNode {
  const job = useAnswer("GET /jobs/{id}", [{ path: { id: jobId } }], { every: 3_000 });
  const { status, done, total } = job.data?.data ?? {};
  return (
    <>
      <Progress
        label="The graph is being measured"
        {...(done !== undefined && { done })}
        {...(total !== undefined && { total })}
      />
      {status === "completed" && (
        <button type="button" onClick={again}>
          Show what came of it
        </button>
      )}
    </>
  );
}

const Named = ({ id, name, type }: { id: string; name: string; type: EntityKind }): ReactNode => (
  <>
    <Glyph kind={type} /> <Link to={entityAddress(id)}>{name}</Link>
  </>
);

function Tensions({ setId }: { setId: string | undefined }): ReactNode {
  const query = { limit: MOST, ...(setId && { problemSetId: setId }) };
  const tensions = useAnswer("GET /graph/tensions", [{ query }]);
  const titles = useTitles(setId);
  return (
    <Section title="Where there is friction">
      <Shown of={tensions}>
        {({ data }) => (
          <>
            {!data.length && <Empty>No source tells anything hostile of any two.</Empty>}
            <ul className="list">
              {data.map((one) => (
                <Tension key={one.actors.map(({ id }) => id).join(" ")} of={one} titles={titles} />
              ))}
            </ul>
          </>
        )}
      </Shown>
    </Section>
  );
}

const TRENDS = {
  rising: ["rising", "bad"],
  falling: ["falling", "good"],
  steady: ["steady", "plain"],
  new: ["new", "warn"],
  past: ["nothing lately", "plain"],
} as const;

function Tension({ of, titles }: { of: ListRow<"GET /graph/tensions">; titles: Titles }): ReactNode {
  const { actors, tension, trend, stories, evidence, problemSetId } = of;
  const [one, other] = actors;
  const [words, tone] = TRENDS[trend.direction];
  return (
    <li>
      <p className="row">
        <span>
          {one && <Named {...one} />} and {other && <Named {...other} />}
        </span>
        <span>friction {tension} of 100</span> <Badge tone={tone}>{words}</Badge>
        <small className="muted">{many(stories, "independent report")}</small>
      </p>
      <details>
        <summary>What was told</summary>
        <ul className="sources">
          {evidence.map(({ statementId, relation, origin }) => (
            <li key={statementId}>
              <strong>{relationWords(relation)}</strong>
              <Origin origin={origin} setId={problemSetId} titles={titles} />
            </li>
          ))}
        </ul>
      </details>
    </li>
  );
}
