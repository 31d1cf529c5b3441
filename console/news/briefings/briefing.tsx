import { useEffect, useMemo, useState, type ReactNode } from "react";
import { Link, useLocation, useParams } from "react-router";
import { addressOf, type Data } from "../../api/client.ts";
import { useAnswer } from "../../api/hooks.ts";
import { useMay } from "../../app/session.tsx";
import { Page, PageOf, Section } from "../../parts/page.tsx";
import { many, Time } from "../../parts/texts.tsx";
import { readBriefing, type CitedArticle } from "./document.ts";
import { DeliverDialog } from "./deliver.tsx";
import { Making } from "./making.tsx";
import { CitedArticles, Part } from "./told.tsx";
import "./briefings.css";

type Told = Data<"GET /briefings/{id}">;

/** One briefing: how far it is, why it failed, or all of it. */
export function Briefing(): ReactNode {
  const id = Number(useParams()["id"]);
  const briefing = useAnswer("GET /briefings/{id}", [{ path: { id } }]);
  return (
    <PageOf of={briefing} title="Briefing" back={<Link to="/news/briefings">All briefings</Link>}>
      {({ data }) => {
        if (data.status === "generating") return <InTheMaking {...data} />;
        return data.status === "failed" ? <Failed {...data} /> : <Document {...data} />;
      }}
    </PageOf>
  );
}

const InTheMaking = ({ jobId, estimatedSeconds }: Told): ReactNode => (
  <Page
    title="A briefing in the making"
    intro={`It is there ${estimatedSeconds ? `in about ${many(estimatedSeconds, "second")}` : "soon"}. You may leave: the work goes on.`}
  >
    <Making jobId={jobId} />
  </Page>
);

const Failed = ({ error }: Told): ReactNode => (
  <Page title="This briefing could not be made" acts={<Link to="/news/briefings">All briefings</Link>}>
    <div className="failure">
      <p>{error ?? "Nothing more is known about it."}</p>
    </div>
    <p>Order it again from the list of briefings: what came in is still there.</p>
  </Page>
);

function Document(briefing: Told): ReactNode {
  const { title, content = "", generatedAt, stats, modelFault } = briefing;
  const told = useMemo(() => readBriefing(content), [content]);
  useShownPlace();
  const parts = [told.brief, told.changes, ...told.domains].filter((part) => part !== undefined);
  return (
    <Page
      title={title}
      intro={
        <>
          Made <Time at={generatedAt} />, from {many(stats.articles, "article")} of {many(stats.sources, "source")},{" "}
          {stats.verified} verified.
        </>
      }
      acts={<Exports {...briefing} />}
    >
      <CitedArticles value={told.cited}>
        <div className="briefing">
          <div className="stack">
            {parts.length === 0 && <p className="empty">{told.notes.join(" ")}</p>}
            {parts.map((part) => (
              <Part key={part.place} part={part} />
            ))}
            {told.cited.size > 0 && <Articles cited={[...told.cited.values()]} />}
          </div>
          <aside className="stack">
            {parts.length > 0 && (
              <nav className="card" aria-label="In this briefing">
                <h2>In this briefing</h2>
                <ul className="list">
                  {parts.map(({ place, title, stories, also }) => (
                    <li key={place}>
                      <a href={`#${place}`}>{title}</a>{" "}
                      {stories.length + also.length > 0 && (
                        <span className="muted">{many(stories.length + also.length, "story", "stories")}</span>
                      )}
                    </li>
                  ))}
                </ul>
              </nav>
            )}
            <Section title="How it was made">
              {told.notes.map((note) => (
                <p key={note}>{note}</p>
              ))}
              {modelFault && <p>The language model's text was not used: {modelFault}</p>}
            </Section>
          </aside>
        </div>
      </CitedArticles>
    </Page>
  );
}

/** The place that the address names, once it is there: the browser looked for it before. */
function useShownPlace(): void {
  const { hash } = useLocation();
  useEffect(() => {
    if (hash) document.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView();
  }, [hash]);
}

/** The same on paper, as a page to pass on, as text. */
function Exports({ id, title, content = "" }: Told): ReactNode {
  const [isDelivering, setDelivering] = useState(false);
  const mayDeliver = useMay("briefings:make");
  const text = useMemo(() => URL.createObjectURL(new Blob([content], { type: "text/markdown" })), [content]);
  useEffect(() => () => URL.revokeObjectURL(text), [text]);
  const input = { path: { id } };
  return (
    <>
      <a className="button" href={addressOf("GET /briefings/{id}/pdf", input)} download={`briefing-${id}.pdf`}>
        PDF
      </a>
      <a className="button" href={addressOf("GET /briefings/{id}/html", input)} target="_blank" rel="noreferrer">
        HTML
      </a>
      <a className="button" href={text} download={`briefing-${id}.md`}>
        Markdown
      </a>
      {mayDeliver && (
        <button type="button" onClick={() => setDelivering(true)}>
          Send
        </button>
      )}
      {isDelivering && <DeliverDialog id={id} title={title} onClose={() => setDelivering(false)} />}
    </>
  );
}

const Articles = ({ cited }: { cited: readonly CitedArticle[] }): ReactNode => (
  <Section title="Articles cited">
    <ul className="list">
      {cited.map(({ id, title, facts, url }) => (
        <li key={id}>
          <Link to={`/news/articles/${id}`}>{title}</Link>
          <br />
          <small className="muted">
            {facts}
            {url && (
              <>
                {" · "}
                <a
                  href={url}
                  rel="noopener noreferrer nofollow"
                  target="_blank"
                  aria-label={`at the publisher: ${title}`}
                >
                  at the publisher
                </a>
              </>
            )}
          </small>
        </li>
      ))}
    </ul>
  </Section>
);
