import { useState, type ReactNode } from "react";
import { Link } from "react-router";
import { ask } from "../../api/client.ts";
import { useAnswer, wordsOf } from "../../api/hooks.ts";
import { readAgain } from "../../api/queries.ts";
import { notify } from "../../parts/notices.tsx";
import { Empty, Section, Shown } from "../../parts/page.tsx";
import { Badge, many, Progress, Time } from "../../parts/texts.tsx";
import { newestStories, type ToldStory } from "./newest-stories.ts";

const MOST = 12;

/** The newest stories of the news: one read in becomes an event, and what its articles name joins the graph. */
export function News({ setId, mayRecord }: { setId: string; mayRecord: boolean }): ReactNode {
  const articles = useAnswer("GET /articles", [{ query: { limit: 60, sort: "-publishedAt" } }]);
  const events = useAnswer("GET /graph/osint/events", [{ query: { problemSetId: setId, limit: 100 } }]);
  const known = new Map(events.data?.data.map(({ storyId, entityId }) => [storyId, entityId]));
  const [step, setStep] = useState<{ done: number; total: number }>();

  async function readIn(stories: readonly ToldStory[]): Promise<void> {
    let done = 0;
    setStep({ done, total: stories.length });
    try {
      for (const { storyId } of stories) {
        await ask("POST /graph/osint/events", { body: { problemSetId: setId, storyId } });
        setStep({ done: ++done, total: stories.length });
      }
      notify(`${many(done, "story", "stories")} read in; the graph grows in a moment.`);
    } catch (error) {
      notify(`${many(done, "story", "stories")} of ${stories.length} read in, then: ${wordsOf(error)}`, "bad");
    } finally {
      setStep(undefined);
      await readAgain();
    }
  }

  return (
    <Section title="The newest of the news" acts={<Link to="/news/articles">All articles</Link>}>
      <Shown of={articles}>
        {({ data }) => {
          const stories = newestStories(data, MOST);
          const left = stories.filter(({ storyId }) => !known.has(storyId));
          return (
            <>
              {!stories.length && (
                <Empty>
                  No article is here yet. <Link to="/news/sources">Follow a source</Link>, and its articles come in.
                </Empty>
              )}
              {step && <Progress label="Stories are being read in" {...step} />}
              {mayRecord && left.length > 1 && !step && (
                <p>
                  <button type="button" onClick={() => void readIn(left)}>
                    Read all {left.length} in
                  </button>
                </p>
              )}
              <ul className="list">
                {stories.map((story) => (
                  <Told
                    key={story.storyId}
                    story={story}
                    entityId={known.get(story.storyId)}
                    {...(mayRecord && !step && { readIn: () => void readIn([story]) })}
                  />
                ))}
              </ul>
            </>
          );
        }}
      </Shown>
    </Section>
  );
}

interface ToldProps {
  story: ToldStory;
  entityId: string | undefined;
  readIn?: () => void;
}

const Told = ({ story: { id, title, at, sources }, entityId, readIn }: ToldProps): ReactNode => (
  <li className="story">
    <span>
      <Link to={`/news/articles/${id}`}>{title}</Link>
      <br />
      <small className="muted">
        {sources.join(", ")}; <Time at={at} />
      </small>
    </span>
    {entityId ? (
      <Link to={`/knowledge/entities/${entityId}`} aria-label={`In the graph: ${title}`}>
        <Badge tone="good">in the graph</Badge>
      </Link>
    ) : (
      readIn && (
        <button type="button" aria-label={`Read in: ${title}`} onClick={readIn}>
          Read in
        </button>
      )
    )}
  </li>
);
