import { createContext, useContext, type ReactNode } from "react";
import { Link } from "react-router";
import { Badge, many } from "../../parts/texts.tsx";
import type { CitedArticle, ToldPart, ToldStory } from "./document.ts";
import type { ToldPiece, ToldLine, Trust } from "./lines.ts";

/** The articles that the briefing around cites. */
const Cited = createContext<ReadonlyMap<number, CitedArticle>>(new Map());
export const CitedArticles = Cited.Provider;

const TONES = { high: "good", medium: "info", low: "plain" } as const;

/** How far something can be trusted, in a word and as a share. */
export const Confidence = ({ level, share }: Trust): ReactNode => (
  <Badge tone={TONES[level]}>{`${level} confidence, ${Math.round(share * 100)} %`}</Badge>
);

/** The outlet that a sentence is taken from, as a link to its article. */
function Citation({ id }: { id: number }): ReactNode {
  const article = useContext(Cited).get(id);
  const outlet = article?.outlet ?? `Article ${id}`;
  return (
    <Link
      className="told-cite"
      to={`/news/articles/${id}`}
      aria-label={article ? `${outlet}: ${article.title}` : outlet}
    >
      {outlet}
    </Link>
  );
}

/** A sentence's words; an outlet that is cited twice in a row stands there once for each article. */
const Pieces = ({ pieces }: { pieces: readonly ToldPiece[] }): ReactNode =>
  pieces.map((piece, at) => {
    // The pieces of a text have no names, and never change their places.
    const key = at;
    if ("cites" in piece) return <Citation key={key} id={piece.cites} />;
    if (piece.as === "strong") return <strong key={key}>{piece.text}</strong>;
    return piece.as === "em" ? <em key={key}>{piece.text}</em> : piece.text;
  });

export const Lines = ({ lines }: { lines: readonly ToldLine[] }): ReactNode => (
  <ul className="told">
    {lines.map((line, at) => (
      // As with pieces: lines have no names of their own.
      <li key={at} className={line.isDisagreement ? "told-disputed" : undefined}>
        {line.isDisagreement && <Badge tone="warn">sources disagree</Badge>} <Pieces pieces={line.pieces} />{" "}
        {line.trust && <Confidence {...line.trust} />}
        {line.below.length > 0 && <Lines lines={line.below} />}
      </li>
    ))}
  </ul>
);

/** How well founded a story is, and what changed about it. */
const Standing = ({ change, trust, independent, notes }: ToldStory): ReactNode => (
  <p className="row told-standing">
    {change && <Badge tone={change === "Unchanged" ? "plain" : "info"}>{change.toLowerCase()}</Badge>}
    {trust && <Confidence {...trust} />}
    {independent !== undefined && <span>{many(independent, "independent source")}</span>}
    {notes && <span className="muted">{notes}</span>}
  </p>
);

const Story = (story: ToldStory): ReactNode => (
  <article className="told-story" aria-labelledby={story.place}>
    <h3 id={story.place}>{story.title}</h3>
    <Standing {...story} />
    <Lines lines={story.lines} />
  </article>
);

/** A part of a briefing: what is told in full, and what was only listed. */
export const Part = ({ part: { place, title, lines, stories, also } }: { part: ToldPart }): ReactNode => (
  <section className="card told-part" aria-labelledby={place}>
    <h2 id={place}>{title}</h2>
    {lines.length > 0 && <Lines lines={lines} />}
    {stories.map((story) => (
      <Story {...story} key={story.place} />
    ))}
    {also.length > 0 && (
      <div className="told-also">
        <h3>{stories.length ? "Also reported, listed only" : "Reported, listed only"}</h3>
        <Lines lines={also} />
      </div>
    )}
  </section>
);
