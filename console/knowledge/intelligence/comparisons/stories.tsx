import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Answer, ListRow } from "../../../api/client.ts";
import { useAct, useAnswer } from "../../../api/hooks.ts";
import { useMayIn } from "../../../app/sets.ts";
import { Field, Form } from "../../../parts/form.tsx";
import { Empty, Section, Shown } from "../../../parts/page.tsx";
import { many } from "../../../parts/texts.tsx";
import { Choice } from "./choice.tsx";
import { useChosen } from "./choosing.ts";

export type CollectedStory = ListRow<"GET /strategic-agents/osint/stories">;
const NEWEST = 50;

/** The newest stories that were collected into the set. */
export const useCollected = (setId: string): UseQueryResult<Answer<"GET /strategic-agents/osint/stories">> =>
  useAnswer("GET /strategic-agents/osint/stories", [
    { query: { problemSetId: setId, sort: "-updatedAt", limit: NEWEST } },
  ]);

interface StoriesProps {
  setId: string;
  collected: ReturnType<typeof useCollected>;
}

/** Stories of the news and of open sources; a search brings more of them into the set. */
export function Stories({ setId, collected }: StoriesProps): ReactNode {
  const mayCollect = useMayIn(setId)("intelligence:collect");
  const collect = useAct("POST /strategic-agents/osint/collect", {
    tellsRefusal: false,
    says: ({ data: { q, stories } }) =>
      stories.length
        ? `${many(stories.length, "story", "stories")} on “${q}” ${stories.length === 1 ? "is" : "are"} at the top of the list.`
        : `Nothing in the news fits “${q}”.`,
  });
  return (
    <Section title="Stories">
      {mayCollect && (
        <Form
          act="Search the news"
          isInline
          label="Search the news for stories"
          onSubmit={({ q = "" }) => collect.mutateAsync({ body: { problemSetId: setId, q } })}
        >
          <Field label="Words" name="q" hint="What is found is kept in this problem set." required />
        </Form>
      )}
      <Shown of={collected}>
        {({ data }) =>
          data.length ? (
            <div className="report-choices" role="group" aria-label="Stories to compare">
              {data.map(({ storyId, id, title, lastAt, sources, compartments }) => (
                <Choice
                  key={id}
                  kind="story"
                  id={storyId}
                  title={title}
                  at={lastAt}
                  says={sources.join(", ")}
                  behind={{ problemSetId: setId, compartments }}
                />
              ))}
            </div>
          ) : (
            <Empty>
              No story of the news was collected here yet.
              {mayCollect && " Search for what your documents tell of: people, places, events."}
            </Empty>
          )
        }
      </Shown>
    </Section>
  );
}

/** A story that another page led here with, and that is not in the list. */
export function StoryElsewhere({ storyId }: { storyId: string }): ReactNode {
  const { toggle } = useChosen();
  const told = useAnswer("GET /articles", [{ query: { storyId, sort: "publishedAt", limit: 1 } }], { stays: true });
  const first = told.data?.data[0];
  const title = first?.title ?? "a story that is not there any longer";
  return (
    <p className="row">
      <span>
        With the story <Link to={`/news/articles?${new URLSearchParams({ story: storyId })}`}>{title}</Link>
      </span>
      <button type="button" aria-label={`Leave out: ${title}`} onClick={() => toggle("story", storyId)}>
        Leave out
      </button>
    </p>
  );
}
