import type { ReactNode } from "react";
import { Link, useParams } from "react-router";
import type { Data } from "../../api/client.ts";
import { useAnswer } from "../../api/hooks.ts";
import { NotFound } from "../../app/shell.tsx";
import { Page, PageOf, Section, Shown } from "../../parts/page.tsx";
import { Time } from "../../parts/texts.tsx";
import { ArticleCheck } from "../verification/article-check.tsx";
import { Claims } from "../verification/claims.tsx";
import { Standing } from "../verification/standing.tsx";
import { TrailPicture } from "../verification/trail.tsx";
import { ArticleText } from "./article-text.tsx";
import { Neighbours } from "./keys/neighbours.tsx";
import { RemoveArticle } from "./remove-article.tsx";
import { SameEvent } from "./same-event.tsx";
import "./articles.css";
import "../verification/verification.css";

/** The address of one article. */
export function ArticleAt(): ReactNode {
  const id = Number(useParams()["id"]);
  return Number.isSafeInteger(id) && id > 0 ? <OneArticle id={id} /> : <NotFound />;
}

function OneArticle({ id }: { id: number }): ReactNode {
  const article = useAnswer("GET /articles/{id}", [{ path: { id } }]);
  return (
    <PageOf of={article} title="Article" back={<Link to="/news/articles">To the articles</Link>}>
      {({ data }) => <Read article={data} />}
    </PageOf>
  );
}

/** The article as one reads it, and beside and below it why to trust it, or not. */
function Read({ article }: { article: Data<"GET /articles/{id}"> }): ReactNode {
  const { id, title, url, source, publishedAt, dateInferred, changedAt } = article;
  const path = { contentId: id };
  const trail = useAnswer("GET /verification/trail/{contentId}", [{ path }]);
  const summary = useAnswer("GET /verification/summary/{contentId}", [{ path }]);
  const claims = useAnswer("GET /verification/claims/{contentId}", [{ path }]);
  // In the order of the text, in which they are numbered.
  const found = claims.data?.data.claims.toSorted((one, other) => one.start - other.start) ?? [];
  const references = useAnswer("GET /verification/cross-reference/content/{contentId}", [{ path }]);
  return (
    <Page
      title={title}
      intro={
        <>
          <bdi>
            <Link to={`/news/sources/${source.id}`}>{source.name}</Link>
          </bdi>{" "}
          · <Time at={publishedAt} />
          {dateInferred && " (its feed gives no date; this is when it was first seen)"}
          {changedAt && (
            <>
              , changed by its outlet <Time at={changedAt} />
            </>
          )}{" "}
          · <Link to={`/news/articles?${new URLSearchParams({ domain: source.domain })}`}>{source.domain}</Link>
        </>
      }
      acts={
        <>
          {url && (
            <a className="button" href={url} target="_blank" rel="noopener noreferrer">
              Read the original<span aria-hidden="true"> ↗</span>
              <span className="visually-hidden"> (opens another site)</span>
            </a>
          )}
          <RemoveArticle id={id} title={title} />
        </>
      }
    >
      <Neighbours id={id} />
      <Section title="Can it be trusted?">
        <Shown of={summary} what="Reading what was found out">
          {({ data }) => <Standing summary={data} />}
        </Shown>
        <ArticleCheck contentId={id} wasChecked={summary.data?.data.steps.crossReference != null} />
      </Section>
      <div className="beside">
        <ArticleText article={article} claims={found} />
        <SameEvent article={article} />
      </div>
      <Section title="Its claims, and what others say">
        <Shown of={claims}>
          {({ data }) => (
            <Claims claims={found} isExtracted={data.extracted} references={references.data?.data.references ?? []} />
          )}
        </Shown>
      </Section>
      <Section title="How the confidence adds up">
        <Shown of={trail}>
          {({ data }) => (
            <TrailPicture
              trail={data}
              outlets={
                new Map(references.data?.data.references.map(({ articleId, sourceName }) => [articleId, sourceName]))
              }
            />
          )}
        </Shown>
      </Section>
    </Page>
  );
}
