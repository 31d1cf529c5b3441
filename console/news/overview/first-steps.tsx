import type { ReactNode } from "react";
import { Link } from "react-router";
import { useAnswer, wordsOf } from "../../api/hooks.ts";
import { notify } from "../../parts/notices.tsx";
import { useMay, useWho } from "../../app/session.tsx";
import { Section } from "../../parts/page.tsx";
import { Badge, many, Progress } from "../../parts/texts.tsx";
import { useImport } from "../sources/import.tsx";
import { NEWEST } from "./latest.tsx";
import { STARTER_LIST } from "../sources/starter.ts";

interface Step {
  title: string;
  isDone: boolean;
  /** Why, or what came of it. */
  words: ReactNode;
  act: ReactNode;
}

/** What to do on a platform that is new, or new to this person; nothing once it is all done. */
export function FirstSteps({ sources, onOrder }: { sources: number | undefined; onOrder(): void }): ReactNode {
  const [mayCurate, mayMake] = [useMay("sources:curate"), useMay("briefings:make")];
  const briefings = useAnswer("GET /briefings", [NEWEST]);
  const sets = useAnswer("GET /problem-sets/me", [{ query: { status: "active", limit: 5, sort: "-updatedAt" } }]);
  if (sources === undefined || !sets.data || !briefings.data) return null;
  const hasNoBriefing = !briefings.data.data.length;
  const steps: Step[] = [
    ...(mayCurate
      ? [
          {
            title: "Follow sources",
            isDone: sources > 0,
            words: sources
              ? `${many(sources, "source is", "sources are")} followed.`
              : "All news comes from feeds and sites that are read for you.",
            act: <FollowStep />,
          },
        ]
      : []),
    ...(mayMake
      ? [
          {
            title: "Make a briefing",
            isDone: !hasNoBriefing,
            words: !sources
              ? "Once sources are followed: what came in, told in short, each sentence with its source."
              : hasNoBriefing
                ? "What came in, told in short: each sentence with its source, each story with how sure it is."
                : "The latest one is below.",
            act: (
              <button type="button" disabled={!sources} onClick={onOrder}>
                Make the first briefing
              </button>
            ),
          },
        ]
      : []),
    {
      title: "Open a problem set",
      isDone: sets.data.meta.total > 0,
      words: sets.data.meta.total
        ? `You are in ${many(sets.data.meta.total, "problem set")}.`
        : "A place to work with others on one matter: plans, decisions, a map, an assistant. A scenario fills it.",
      act: (
        <Link className="button" to="/workspace">
          Open a problem set
        </Link>
      ),
    },
  ];
  if (steps.every(({ isDone }) => isDone)) return null;
  return (
    <Section title="First steps">
      <ol className="first-steps">
        {steps.map(({ title, isDone, words, act }) => (
          <li key={title}>
            <div>
              <h3>
                {title} {isDone && <Badge>done</Badge>}
              </h3>
              <p className="muted">{words}</p>
            </div>
            {!isDone && <div className="row">{act}</div>}
          </li>
        ))}
      </ol>
      <Further />
    </Section>
  );
}

function FollowStep(): ReactNode {
  const { follow, isBusy } = useImport();
  return (
    <>
      <button
        type="button"
        className="primary"
        disabled={isBusy}
        onClick={() => void follow(STARTER_LIST).catch((error: unknown) => notify(wordsOf(error), "bad"))}
      >
        Follow the starter list
      </button>
      <Link className="button" to="/news/sources/import">
        See it, or bring your own
      </Link>
      {isBusy && <Progress label="The feeds are taken over" />}
    </>
  );
}

/** What else there is to begin with. */
function Further(): ReactNode {
  const { user } = useWho();
  const passkeys = useAnswer("GET /auth/passkeys", []);
  const hasPasskey = (passkeys.data?.data.length ?? 0) > 0;
  return (
    <p className="muted">
      Then: <Link to="/news/articles">search what the sources say</Link>, and see there why each claim is trusted
      {user?.role === "system_admin" && (
        <>
          ; <Link to="/platform">make accounts for colleagues</Link>
        </>
      )}
      {!hasPasskey && (
        <>
          ; <Link to="/identity/sign-in">add a passkey</Link>
        </>
      )}
      ; or <Link to="/identity/keys">make a key for a program</Link>.
    </p>
  );
}
