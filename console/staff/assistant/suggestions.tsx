import { useState, type ReactNode } from "react";
import { useAnswer, wordsOf } from "../../api/hooks.ts";
import type { Question } from "./conversation.tsx";

const EVERYWHERE = ["How do I follow a source?", "How do I make a briefing?", "How do I open a problem set?"] as const;
const IN_SET = [
  "Which gates are open?",
  "Which missions are there, and when are they due?",
  "Which resources are ready?",
  "How do I add a document?",
] as const;

/** Questions that are answered with a model and without; one of them is about the newest article. */
function useQuestions(setId: string | undefined): readonly string[] {
  const isGlobal = setId === undefined;
  const newest = useAnswer("GET /articles", [{ query: { limit: 1, sort: "-publishedAt" } }], {
    enabled: isGlobal,
    stays: true,
  });
  if (!isGlobal) return IN_SET;
  const title = newest.data?.data[0]?.title;
  return title ? [`What is known of this: ${title}?`, ...EVERYWHERE] : EVERYWHERE;
}

/** For somebody who has never asked: questions that it can answer, one press away. */
export function Suggestions({
  setId,
  ask,
}: {
  setId: string | undefined;
  ask(question: Question): Promise<unknown>;
}): ReactNode {
  const questions = useQuestions(setId);
  const [error, setError] = useState<string>();
  const send = (text: string) => (): void => {
    setError(undefined);
    ask({ text }).catch((failure: unknown) => setError(wordsOf(failure)));
  };
  return (
    <section className="suggestions" aria-label="Questions to begin with">
      <p className="muted">You have not asked anything here yet. Begin with one of these, or with your own words:</p>
      <div className="row">
        {questions.map((text) => (
          <button key={text} type="button" onClick={send(text)}>
            {text}
          </button>
        ))}
      </div>
      {error && (
        <p className="fault" role="alert">
          {error}
        </p>
      )}
    </section>
  );
}
