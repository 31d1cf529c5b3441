import { useEffect, type ReactNode } from "react";
import { Link } from "react-router";
import type { Data } from "../../api/client.ts";
import { useAct } from "../../api/hooks.ts";
import { Badge, Time } from "../../parts/texts.tsx";
import type { StaffPlace } from "../shared/place.ts";
import { Values } from "../shared/values.tsx";
import { CLASS_WORDS, NEVER_TRUSTED, orAbove, spelled } from "../shared/words.ts";
import type { AssistantRow, Question } from "./conversation.tsx";
import { readAgain } from "../../api/queries.ts";

type Action = Data<"POST /assistant/{problemSetId}/confirm">;

interface ActionCardProps {
  action: Action;
  row: AssistantRow;
  place: StaffPlace;
  ask(question: Question): Promise<unknown>;
}

/** An act that the assistant proposed: what exactly would be done, the person's answer, and what became of it. */
export function ActionCard({ action, row, place, ask }: ActionCardProps): ReactNode {
  const { status, tool, summary, arguments: given } = action;
  const title = summary ?? spelled(tool);
  const { problemSetId: setId, ...values } = given;
  return (
    <section className={`act ${status}`} aria-label={`Proposed: ${title}`}>
      <header className="row between">
        <h2>{title}</h2>
        <Badge tone={TONES[status]}>{WORDS[status]}</Badge>
      </header>
      <Values of={values} />
      <p className="muted">
        In {place.nameOf(String(setId ?? row.problemSetId))}. {action.class && `${CLASS_WORDS[action.class]}.`}
        {action.isTainted && " Its values may come from texts by others: look twice."}
      </p>
      {status === "proposed" ? (
        <Answer action={action} title={title} setId={row.problemSetId!} />
      ) : (
        <Outcome action={action} row={row} ask={ask} />
      )}
    </section>
  );
}

const WORDS: Record<Action["status"], string> = {
  proposed: "waits for your answer",
  confirmed: "confirmed",
  waiting: "waits for somebody's approval",
  done: "done",
  failed: "failed",
  refused: "not done",
  unknown: "outcome unknown",
};
const TONES: Record<Action["status"], "good" | "bad" | "warn" | "info" | "plain"> = {
  proposed: "warn",
  confirmed: "info",
  waiting: "warn",
  done: "good",
  failed: "bad",
  refused: "plain",
  unknown: "bad",
};

function Answer({ action, title, setId }: { action: Action; title: string; setId: string }): ReactNode {
  const confirm = useAct("POST /assistant/{problemSetId}/confirm");
  const answer = (how: "yes" | "no" | "always") => (): void =>
    confirm.mutate({
      path: { problemSetId: setId },
      body: { actionId: action.id, argumentsHash: action.argumentsHash, answer: how },
    });
  useExpiry(action.expiresAt);
  const isTrustable = action.class && !NEVER_TRUSTED.includes(action.class) && !action.isTainted;
  return (
    <>
      <div className="row">
        <button
          type="button"
          className="primary"
          aria-label={`Do it: ${title}`}
          disabled={confirm.isPending}
          onClick={answer("yes")}
        >
          Do it
        </button>
        <button type="button" aria-label={`Do not: ${title}`} disabled={confirm.isPending} onClick={answer("no")}>
          Do not
        </button>
        {isTrustable && (
          <button type="button" disabled={confirm.isPending} onClick={answer("always")}>
            Do it, and such acts from now on without asking
          </button>
        )}
      </div>
      <p className="note muted">
        {action.approver && `${orAbove(action.approver)} can have this done; otherwise it waits for one. `}
        Without an answer it is dropped <Time at={action.expiresAt} />.
      </p>
    </>
  );
}

/** Reads the conversation again when the time to answer is over. */
function useExpiry(expiresAt: string): void {
  useEffect(() => {
    const timer = setTimeout(() => void readAgain(), Math.max(1_000, Date.parse(expiresAt) - Date.now()));
    return () => clearTimeout(timer);
  }, [expiresAt]);
}

function Outcome({ action, row, ask }: { action: Action; row: AssistantRow; ask: ActionCardProps["ask"] }): ReactNode {
  const { status, code, why, executionId, preferenceId } = action;
  const isExpired = code === "EXPIRED";
  return (
    <div className="row">
      {isExpired && <p>The time to answer is over, so that nothing was done.</p>}
      {code === "DECLINED" && <p>You said no, so that nothing was done.</p>}
      {status === "refused" && !isExpired && code !== "DECLINED" && <p>{why}</p>}
      {(status === "failed" || status === "unknown") && <p className="fault">{why}</p>}
      {status === "waiting" && (
        <p>
          It takes {action.approver ? orAbove(action.approver).toLowerCase() : "more authority"}.{" "}
          <Link to={`/staff/agents?set=${row.problemSetId}`}>What waits for approval</Link>
        </p>
      )}
      {status === "confirmed" && <p>It is being done.</p>}
      {preferenceId && <p className="muted">You trust the assistant with such acts here.</p>}
      {executionId && <Link to={`/staff/runs/${executionId}`}>What was done, step by step</Link>}
      {isExpired && (
        <button type="button" onClick={() => void ask(again(row, action)).catch(() => undefined)}>
          Ask for it again
        </button>
      )}
    </div>
  );
}

/** The same question with the same values; where it lies is known. */
function again(row: AssistantRow, { arguments: { problemSetId: _set, ...input } }: Action): Question {
  return { text: row.said, input };
}
