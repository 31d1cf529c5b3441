import type { ReactNode } from "react";
import { useAct, wordsOf } from "../../../api/hooks.ts";
import type { Data } from "../../../api/client.ts";
import { Section } from "../../../parts/page.tsx";
import { many, Progress } from "../../../parts/texts.tsx";
import { Origin } from "../../entity/origin.tsx";
import { useTitles } from "../../sets.ts";
import type { IntentSaid } from "./intent-write.tsx";
import type { KnownObjective } from "../tree.ts";

type Draft = Data<"POST /strategic/objectives/{id}/intent/generate">;
type DraftLine = Draft["purpose"];

interface DraftingProps {
  objective: KnownObjective;
  /** Somebody has written one already. */
  isThere: boolean;
  /** Begins the form with the draft. */
  takeOver(said: IntentSaid): void;
}

/** Has the platform draft an intent from the pages that the objective cites; nothing is kept until a person keeps it. */
export function Drafting({ objective, isThere, takeOver }: DraftingProps): ReactNode {
  const draft = useAct("POST /strategic/objectives/{id}/intent/generate", { tellsRefusal: false });
  const made = draft.data?.data;
  return (
    <Section
      title="A draft by the platform"
      acts={
        <button type="button" disabled={draft.isPending} onClick={() => draft.mutate({ path: { id: objective.id } })}>
          {made ? "Draft it again" : "Have it drafted"}
        </button>
      }
    >
      <p className="muted">
        It takes sentences from the pages that the objective cites, and says where each stands. It keeps nothing
        {isThere && ", and writes over nothing"}: what you take over goes into the form first.
      </p>
      {draft.isPending && <Progress label="The pages are being read" />}
      {draft.error && <p className="failure">{wordsOf(draft.error)}</p>}
      {made && <Drafted draft={made} setId={objective.problemSetId} takeOver={takeOver} />}
    </Section>
  );
}

const methodWords = ({ method, model }: Draft): string =>
  method === "llm"
    ? `Drafted by the language model${model ? ` ${model}` : ""}; only lines whose words stand on a cited page were kept, the rest is by rules.`
    : "Drafted by rules alone: no language model had a part in it, because none is set up here or none gave lines that stand on the pages.";

function Drafted({
  draft,
  setId,
  takeOver,
}: {
  draft: Draft;
  setId: string;
  takeOver(said: IntentSaid): void;
}): ReactNode {
  const { purpose, keyTasks, endState, unread } = draft;
  const parts = [
    ["Purpose", [purpose]],
    ["Key tasks", keyTasks],
    ["End state", [endState]],
  ] as const;
  return (
    <>
      <p role="status">{methodWords(draft)}</p>
      {unread.length > 0 && (
        <p className="muted">
          {many(unread.length, "cited document")} that you cannot read, or that has no text, was left out.
        </p>
      )}
      {parts.map(([title, lines]) => (
        <div key={title}>
          <h3>{title}</h3>
          <ul className="list">
            {lines.map((line, at) => (
              <DraftedLine key={`${at} ${line.text}`} line={line} setId={setId} />
            ))}
          </ul>
        </div>
      ))}
      <div className="row">
        <button type="button" className="primary" onClick={() => takeOver(saidIn(draft))}>
          Take it into the form
        </button>
      </div>
    </>
  );
}

function DraftedLine({ line: { text, citations }, setId }: { line: DraftLine; setId: string }): ReactNode {
  const titles = useTitles(setId);
  return (
    <li dir="auto">
      {text}
      {!citations.length && <small className="muted"> (the objective’s own words)</small>}
      {citations.length > 0 && (
        <ul className="sources">
          {citations.map((citation) => (
            <li key={`${citation.start} ${citation.end}`}>
              <Origin origin={{ kind: "document", citation }} setId={setId} titles={titles} />
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

/** As the form takes it; what several lines cite is cited once. */
function saidIn({ purpose, keyTasks, endState }: Draft): IntentSaid {
  const all = [purpose, ...keyTasks, endState].flatMap(({ citations }) => citations);
  const each = new Map(all.map((one) => [`${one.documentId} ${one.version} ${one.start} ${one.end}`, one]));
  return {
    purpose: purpose.text,
    keyTasks: keyTasks.map(({ text }) => text.replaceAll(/\s+/g, " ")),
    endState: endState.text,
    citations: [...each.values()],
  };
}
