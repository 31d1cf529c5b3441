import { useState, type ReactNode } from "react";
import { wordsOf } from "../../api/hooks.ts";
import type { Question } from "./conversation.tsx";

const EVERYWHERE = [
  "What happened in the last days that I should know?",
  "How do I follow a source?",
  "How do I have a claim checked?",
  "How do I open a problem set?",
] as const;
const IN_SET = [
  "What stands in the way?",
  "Which missions are there, and when are they due?",
  "Which gates are open?",
  "What is assumed and not confirmed?",
  "How do I add a document?",
] as const;

/** For somebody who has never asked: questions that it can answer, one press away. */
export function Suggestions({
  setId,
  ask,
}: {
  setId: string | undefined;
  ask(question: Question): Promise<unknown>;
}): ReactNode {
  const [error, setError] = useState<string>();
  const send = (text: string) => (): void => {
    setError(undefined);
    ask({ text }).catch((failure: unknown) => setError(wordsOf(failure)));
  };
  return (
    <section className="suggestions" aria-label="Questions to begin with">
      <p className="muted">You have not asked anything here yet. Begin with one of these, or with your own words:</p>
      <div className="row">
        {(setId === undefined ? EVERYWHERE : IN_SET).map((text) => (
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
