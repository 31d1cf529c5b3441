import { useState, type ReactNode } from "react";
import { isOutOfSight, type Data } from "../../../api/client.ts";
import { useAct, useAnswer } from "../../../api/hooks.ts";
import { useMayIn } from "../../../app/sets.ts";
import { Confirm } from "../../../parts/dialog.tsx";
import { Empty, Section, Shown } from "../../../parts/page.tsx";
import { Badge, Time } from "../../../parts/texts.tsx";
import { Origin } from "../../entity/origin.tsx";
import { useTitles } from "../../sets.ts";
import { Drafting } from "./intent-draft.tsx";
import { IntentText } from "./intent-text.tsx";
import { IntentVersions } from "./intent-versions.tsx";
import { WriteIntent, type IntentSaid } from "./intent-write.tsx";
import { asOf } from "../stale.ts";
import type { KnownObjective } from "../tree.ts";

export type IntentShown = Data<"GET /strategic/objectives/{id}/intent">;

/** The commander's intent for an objective: why, what must be done whatever else changes, and how it ends. */
export function IntentPage({ objective }: { objective: KnownObjective }): ReactNode {
  const found = useAnswer("GET /strategic/objectives/{id}/intent", [{ path: { id: objective.id } }]);
  if (found.data === undefined && isOutOfSight(found.error)) return <Present objective={objective} />;
  return <Shown of={found}>{({ data }) => <Present objective={objective} intent={data} />}</Shown>;
}

interface PresentProps {
  objective: KnownObjective;
  /** Absent where nobody has written it yet. */
  intent?: IntentShown;
}

function Present({ objective, intent }: PresentProps): ReactNode {
  const may = useMayIn(objective.problemSetId);
  const [writing, setWriting] = useState<IntentSaid>();
  const [isApproving, setApproving] = useState(false);
  const isApproved = intent?.status === "approved";
  const mayWrite =
    may("intents:write") && (intent ? !isApproved || may("intents:approve") : objective.status !== "superseded");
  return (
    <>
      <Section
        title="Intent"
        acts={
          mayWrite && (
            <>
              <button type="button" onClick={() => setWriting(intent ?? NOTHING)}>
                {intent ? "Change it" : "Write it"}
              </button>
              {intent && !isApproved && may("intents:approve") && (
                <button type="button" className="primary" onClick={() => setApproving(true)}>
                  Approve it
                </button>
              )}
            </>
          )
        }
      >
        {intent ? <Said intent={intent} /> : <None objective={objective} mayWrite={mayWrite} />}
        {isApproved && may("intents:write") && !mayWrite && (
          <p className="muted">It is approved: only the commander changes it now.</p>
        )}
      </Section>
      {mayWrite && <Drafting objective={objective} isThere={intent !== undefined} takeOver={setWriting} />}
      {intent && intent.version > 1 && <IntentVersions intent={intent} />}
      {writing && (
        <WriteIntent
          objective={objective}
          {...(intent && { intent })}
          said={writing}
          mayApprove={may("intents:approve")}
          onClose={() => setWriting(undefined)}
        />
      )}
      {isApproving && intent && <Approve intent={intent} onClose={() => setApproving(false)} />}
    </>
  );
}

const NOTHING: IntentSaid = { purpose: "", keyTasks: [], endState: "", citations: [] };

const None = ({ objective: { status }, mayWrite }: { objective: KnownObjective; mayWrite: boolean }): ReactNode => (
  <Empty>
    {status === "superseded"
      ? "It gave way to another objective before an intent was written."
      : mayWrite
        ? "Nobody has written the intent yet: why it is to be reached, what must be done for it, and how it ends. Write it, or begin with a draft."
        : "Nobody has written the intent yet. Planners, deputies and the commander write it."}
  </Empty>
);

function Said({ intent }: { intent: IntentShown }): ReactNode {
  const {
    status,
    version,
    updatedAt,
    writtenByName,
    createdByName,
    approvedAt,
    approvedByName,
    citations,
    problemSetId,
  } = intent;
  const titles = useTitles(problemSetId);
  return (
    <>
      <p className="row">
        <Badge>{status}</Badge>
        <small className="muted">
          version {version}, <Time at={updatedAt} />
          {writtenByName && `, written by ${writtenByName}`}
          {createdByName && createdByName !== writtenByName && `; first written by ${createdByName}`}
          {approvedAt && (
            <>
              ; approved by {approvedByName ?? "the commander"}, <Time at={approvedAt} />
            </>
          )}
        </small>
      </p>
      <IntentText of={intent} />
      {status === "approved" && (
        <p className="muted">Problem sets below see it as soon as its objective is approved too.</p>
      )}
      {citations.length > 0 && (
        <details>
          <summary>The words of documents that it rests on</summary>
          <ul className="sources">
            {citations.map((citation) => (
              <li key={`${citation.documentId} ${citation.start} ${citation.end}`}>
                <Origin origin={{ kind: "document", citation }} setId={problemSetId} titles={titles} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function Approve({ intent, onClose }: { intent: IntentShown; onClose(): void }): ReactNode {
  // What was read, not what another wrote since, is approved.
  const [read] = useState(intent);
  const approve = useAct("PUT /strategic/intent/{intentId}", { says: "The intent is approved.", then: onClose });
  return (
    <Confirm
      title="Approve the intent"
      act="Approve it"
      isBusy={approve.isPending}
      onConfirm={() =>
        approve.mutate({ path: { intentId: read.id }, body: { status: "approved" }, options: asOf(read) })
      }
      onClose={onClose}
    >
      <IntentText of={read} />
      <p>It goes down to the problem sets below with its objective, and only the commander changes it from then on.</p>
    </Confirm>
  );
}
