import type { ReactNode } from "react";
import { Link, useNavigate } from "react-router";
import { useAct, useAnswer } from "../../../api/hooks.ts";
import { chosenReaders, ReadersOf } from "../../../app/compartments.tsx";
import { useMayIn } from "../../../app/sets.ts";
import { Form, TextField } from "../../../parts/form.tsx";
import { Empty, Section, Shown } from "../../../parts/page.tsx";
import { many } from "../../../parts/texts.tsx";
import { INTELLIGENCE, IntelligencePage } from "../area.tsx";
import { useChosen } from "./choosing.ts";
import { Choice } from "./choice.tsx";
import { Stories, StoryElsewhere, useCollected, type CollectedStory } from "./stories.tsx";

/** Chooses reports, and what is to be judged by them. */
export const ComparePage = (): ReactNode => (
  <IntelligencePage
    title="Compare reports"
    intro="Choose documents of this problem set and stories of the news that tell of the same thing. Nothing is changed in them."
  >
    {({ id }) => <Compare setId={id} />}
  </IntelligencePage>
);

function Compare({ setId }: { setId: string }): ReactNode {
  const may = useMayIn(setId)("intelligence:fuse");
  const collected = useCollected(setId);
  if (!may) return <Empty>Your role here does not compare reports: analysts, planners and deputies do.</Empty>;
  return (
    <>
      <div className="columns">
        <Documents setId={setId} />
        <Stories setId={setId} collected={collected} />
      </div>
      <Judging setId={setId} collected={collected.data?.data ?? []} />
    </>
  );
}

/** The newest documents whose text is there. */
function Documents({ setId }: { setId: string }): ReactNode {
  const query = { problemSetId: setId, status: "ready" as const, sort: "-createdAt" as const, limit: 100 };
  const documents = useAnswer("GET /documents", [{ query }]);
  return (
    <Section title="Documents" acts={<Link to={`/workspace/${setId}/documents`}>All documents</Link>}>
      <Shown of={documents}>
        {({ data }) =>
          data.length ? (
            <div className="report-choices" role="group" aria-label="Documents to compare">
              {data.map(({ id, title, createdAt, compartments }) => (
                <Choice
                  key={id}
                  kind="document"
                  id={id}
                  title={title}
                  at={createdAt}
                  behind={{ problemSetId: setId, compartments }}
                />
              ))}
            </div>
          ) : (
            <Empty>
              No document is here yet. <Link to={`/workspace/${setId}/documents`}>Put one in</Link>.
            </Empty>
          )
        }
      </Shown>
    </Section>
  );
}

function Judging({ setId, collected }: { setId: string; collected: readonly CollectedStory[] }): ReactNode {
  const { documents, stories } = useChosen();
  const navigate = useNavigate();
  const fuse = useAct("POST /strategic-agents/fuse", {
    tellsRefusal: false,
    says: ({ data: { products } }) =>
      products.length === 1
        ? "The reports are compared."
        : `They tell of ${many(products.length, "event")}: one for each.`,
    then: ({ data: { products } }) =>
      void navigate(
        products.length === 1 ? `${INTELLIGENCE}/comparisons/${products[0]!.id}` : `${INTELLIGENCE}?set=${setId}`,
      ),
  });
  // What was collected behind a barrier takes the comparison behind it as well.
  const kept = new Map(collected.map(({ storyId, id }) => [storyId, id]));
  const elsewhere = stories.filter((storyId) => !kept.has(storyId));
  const count = documents.length + stories.length;
  return (
    <Section title="What is to be judged">
      {elsewhere.map((storyId) => (
        <StoryElsewhere key={storyId} storyId={storyId} />
      ))}
      <p role="status">
        {count
          ? `${[documents.length && many(documents.length, "document"), stories.length && many(stories.length, "story", "stories")].filter(Boolean).join(" and ")} chosen.`
          : "Nothing is chosen yet: tick at least one report above, better two."}
      </p>
      <Form
        act="Compare"
        onSubmit={({ hypothesis, ...fields }) => {
          if (!count) throw new Error("Tick at least one document or story.");
          return fuse.mutateAsync({
            body: {
              problemSetId: setId,
              ...(hypothesis && { hypothesis }),
              documentIds: [...documents],
              storyIds: elsewhere,
              collectedIds: stories.flatMap((storyId) => kept.get(storyId) ?? []),
              ...chosenReaders(fields),
            },
          });
        }}
      >
        <TextField
          label="Statement"
          name="hypothesis"
          rows={2}
          hint="A whole sentence, such as: The Orvane dam holds. Left empty: what the reports themselves assert, each event for itself."
        />
        <ReadersOf
          problemSetId={setId}
          hint="Where a document lies in a compartment, so does what is made of it. It cannot be changed later."
        />
      </Form>
    </Section>
  );
}
