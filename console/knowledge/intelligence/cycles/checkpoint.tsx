import type { ReactNode } from "react";
import { useAct, useAnswer } from "../../../api/hooks.ts";
import { useMayIn } from "../../../app/sets.ts";
import { Check, Field, Form, TextField, type FormFields } from "../../../parts/form.tsx";
import { Section, Shown } from "../../../parts/page.tsx";
import { Time } from "../../../parts/texts.tsx";
import { useCollected } from "../comparisons/stories.tsx";
import { linesOf } from "../words.ts";
import { phaseWords, type CycleStop, type NewsCycle } from "./cycle-words.ts";

/** Where a cycle waits: a person lets it go on, has the step done again, or stops it. */
export function Checkpoint({ cycle: { id, problemSetId } }: { cycle: NewsCycle }): ReactNode {
  const may = useMayIn(problemSetId)("intelligence:steer");
  const found = useAnswer("GET /strategic-agents/checkpoints", [{ query: { cycleId: id, limit: 1 } }]);
  return (
    <Section title="It waits for a person">
      <Shown of={found}>
        {({ data: [stop] }) =>
          stop && (
            <>
              <p>
                {phaseWords(stop.phase)} is done: {stop.outcome.summary} {phaseWords(stop.next)} comes next. Without an
                answer it stops <Time at={stop.expiresAt} />.
              </p>
              {may ? (
                <Resolve stop={stop} />
              ) : (
                <p className="muted">Commanders, deputies and planners decide how it goes on.</p>
              )}
            </>
          )
        }
      </Shown>
    </Section>
  );
}

type Resolution = NonNullable<CycleStop["resolution"]>;

function Resolve({ stop }: { stop: CycleStop }): ReactNode {
  const { id, phase, next, direction, problemSetId, outcome } = stop;
  const resolve = useAct("POST /strategic-agents/checkpoints/{id}/resolve", {
    tellsRefusal: false,
    says: ({ data: { resolution } }) => (resolution === "stop" ? "It is stopped." : "It goes on."),
  });
  return (
    <Form
      act={`Go on: ${phaseWords(next).toLowerCase()}`}
      beside={
        <>
          <button type="submit" name="resolution" value="revise">
            Do {phaseWords(phase).toLowerCase()} again
          </button>
          <button type="submit" name="resolution" value="stop" className="danger">
            Stop it
          </button>
        </>
      }
      onSubmit={({ resolution = "continue", note, ...fields }, form) => {
        const edits = resolution === "stop" ? {} : changedIn(fields, new FormData(form), direction);
        return resolve.mutateAsync({
          path: { id },
          body: {
            resolution: resolution as Resolution,
            ...(Object.keys(edits).length > 0 && { edits }),
            ...(note && { note }),
          },
        });
      }}
    >
      <details>
        <summary>Change what it goes on with</summary>
        <div className="stack">
          <Field
            label="Statement that is judged"
            name="edits.hypothesis"
            defaultValue={direction.hypothesis}
            minLength={3}
          />
          <TextField
            label="Searches in the news"
            name="edits.queries"
            rows={3}
            defaultValue={direction.queries.join("\n")}
            hint={
              phase === "direction" ? "A line for each." : "A line for each. They count when the search is done again."
            }
          />
          <LeaveOut setId={problemSetId} stories={outcome.stories} />
        </div>
      </details>
      <TextField
        label="Note"
        name="note"
        rows={2}
        maxLength={4_000}
        hint="Why, for those who look later. May be left empty."
      />
    </Form>
  );
}

function LeaveOut({ setId, stories }: { setId: string; stories: readonly string[] }): ReactNode {
  const collected = useCollected(setId);
  const titles = new Map(collected.data?.data.map(({ storyId, title }) => [storyId, title]));
  if (!stories.length) return null;
  return (
    <fieldset>
      <legend>Leave out</legend>
      {stories.map((storyId) => (
        <Check key={storyId} label={titles.get(storyId) ?? "an older story"} name="edits.excluded" value={storyId} />
      ))}
      <small className="muted">They count when the step that chooses is done, or done again.</small>
    </fieldset>
  );
}

type Direction = CycleStop["direction"];

/** Only what was changed is sent: the rest is kept as it is. */
function changedIn(fields: FormFields, given: FormData, { hypothesis = "", queries, excluded }: Direction) {
  const [said, searched] = [fields["edits.hypothesis"] ?? "", linesOf(fields["edits.queries"])];
  const left = given.getAll("edits.excluded").map(String);
  return {
    ...(said !== hypothesis && said && { hypothesis: said }),
    ...(searched.join("\n") !== queries.join("\n") && { queries: searched }),
    ...(left.length > 0 && { excluded: [...new Set([...excluded, ...left])] }),
  };
}
