import { useState, type ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import type { Data, ListRow } from "../../api/client.ts";
import { useAnswer } from "../../api/hooks.ts";
import { BarrierOf } from "../../app/compartments.tsx";
import { useLive } from "../../live/live.ts";
import { Section, Shown } from "../../parts/page.tsx";
import { Table, type Column } from "../../parts/table.tsx";
import { Badge, many, Progress, Time } from "../../parts/texts.tsx";
import { stateInWords } from "../map/layers-panel.tsx";
import { listedIn, PictureFrame, placeQuery, type PicturePlace } from "../place.tsx";
import { MakeAnew, TurnWatch } from "./watch-acts.tsx";

type CopStatus = Data<"GET /cop/status">;
type UpkeepActivity = ListRow<"GET /cop/agents/activity">;
const LOOK_MS = 20_000;
const JOB_MS = 2_000;
const ROWS = 30;
const STATES = ["draft", "review", "published", "cop"] as const;

/** What keeps the picture up by itself, what it did, and what waits for people. */
export const Upkeep = (): ReactNode => (
  <PictureFrame
    title="Upkeep"
    intro="What keeps the picture up by itself: live layers are made anew when what they follow changes. Here is what was done, and what waits for people."
  >
    {(place) =>
      place.may("cop:read") ? (
        <UpkeepOf place={place} />
      ) : (
        <p className="empty">Your role does not show you the picture of {place.name}.</p>
      )
    }
  </PictureFrame>
);

function UpkeepOf({ place }: { place: PicturePlace }): ReactNode {
  const status = useAnswer("GET /cop/status", [{ query: listedIn(place) }], { every: LOOK_MS });
  const [jobId, setJobId] = useState<string>();
  const { problemSetId } = place;
  useLive(problemSetId === undefined ? { topic: "cop" } : { problemSetId }, [
    "cop.layer.changed",
    "cop.conflict.changed",
    "activity.item",
  ]);
  return (
    <>
      <Shown of={status}>
        {({ data }) => (
          <div className="columns">
            <WatchSection status={data} place={place} onJob={setJobId} />
            <WaitingSection status={data} place={place} />
          </div>
        )}
      </Shown>
      {jobId && <Making jobId={jobId} />}
      <Deeds place={place} />
    </>
  );
}

function WatchSection({
  status: { watches, generation },
  place,
  onJob,
}: {
  status: CopStatus;
  place: PicturePlace;
  onJob(id: string): void;
}): ReactNode {
  const watch = watches.find(({ problemSetId }) => problemSetId === place.problemSetId);
  const isOn = watch?.on === true;
  return (
    <Section title="Live layers">
      <p>
        <Badge tone={isOn ? "good" : "warn"}>{isOn ? "followed" : "not followed"}</Badge>{" "}
        {isOn ? "They follow what they show." : "They stand still until somebody lets them follow what they show."}
      </p>
      {watch && (
        <p className="muted">
          {watch.byName ?? "Somebody"} {isOn ? "let them" : "stopped it"}, <Time at={watch.since} />
          {watch.reason && `: “${watch.reason}”`}
        </p>
      )}
      <p>
        Last made anew: <Time at={generation.lastAt} />
      </p>
      {place.may("cop:watch") && (
        <div className="row">
          <TurnWatch place={place} isOn={isOn} />
          <MakeAnew place={place} onJob={onJob} />
        </div>
      )}
    </Section>
  );
}

const WaitingSection = ({
  status: { layers, conflicts, linkages, feedback },
  place,
}: {
  status: CopStatus;
  place: PicturePlace;
}): ReactNode => (
  <Section title="What there is, and what waits">
    <dl>
      <dt>Layers</dt>
      <dd>
        {STATES.filter((state) => layers[state])
          .map((state) => `${layers[state]!.toLocaleString("en")} ${stateInWords(state)}`)
          .join(", ") || "none yet"}
      </dd>
      <dt>Contradictions</dt>
      <dd>{conflicts.open ? `${many(conflicts.open, "is", "are")} open` : "none is open"}</dd>
      <dt>Guesses who is who</dt>
      <dd>{linkages.pending ? `${many(linkages.pending, "waits", "wait")} for a person` : "none waits"}</dd>
      <dt>Remarks</dt>
      <dd>{feedback.open ? `${many(feedback.open, "is", "are")} not resolved` : "all are resolved"}</dd>
    </dl>
    <p>
      <Link to={`/picture${placeQuery(place)}`}>They are settled on the map</Link>
    </p>
  </Section>
);

/** A picture that is being made anew, until that is done. */
function Making({ jobId }: { jobId: string }): ReactNode {
  const job = useAnswer("GET /jobs/{id}", [{ path: { id: jobId } }], {
    every: (answer) => (["completed", "failed"].includes(answer?.data.status ?? "") ? false : JOB_MS),
  });
  const { status, done, total } = job.data?.data ?? {};
  if (status === "completed") return <p role="status">The live layers are made anew.</p>;
  if (status === "failed")
    return <p role="status">The live layers could not be made anew. Try again a little later.</p>;
  return (
    <Progress
      label="The live layers are being made anew"
      {...(done !== undefined && { done })}
      {...(total !== undefined && { total })}
    />
  );
}

const OUTCOMES = { done: "done", "source-missing": "source is gone", failed: "failed" } as const;
const OUTCOME_TONES = { done: "good", "source-missing": "warn", failed: "bad" } as const;

const columnsOf = (place: PicturePlace): readonly Column<UpkeepActivity>[] => [
  {
    head: "Layer",
    cell: ({ layer, layerId, ...deed }) => (
      <>
        {layerId ? (
          <Link to={`/picture/layers/${layerId}${placeQuery(place)}`}>{layer ?? "A layer"}</Link>
        ) : (
          (layer ?? "All layers")
        )}{" "}
        <BarrierOf {...deed} />
      </>
    ),
  },
  { head: "When", cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    head: "Because",
    cell: ({ trigger }) => (trigger === "hand" ? "somebody asked" : "something changed"),
  },
  {
    head: "Features",
    cell: ({ added, updated, removed }) =>
      [
        added && `${added.toLocaleString("en")} came`,
        updated && `${updated.toLocaleString("en")} changed`,
        removed && `${removed.toLocaleString("en")} went`,
      ]
        .filter(Boolean)
        .join(", ") || "as before",
  },
  { head: "Took", isFigure: true, cell: ({ ms }) => `${ms.toLocaleString("en")} ms` },
  {
    head: "Outcome",
    cell: ({ outcome, reason }) => (
      <>
        <Badge tone={OUTCOME_TONES[outcome]}>{OUTCOMES[outcome]}</Badge> <small className="muted">{reason}</small>
      </>
    ),
  },
];

/** What was done on the picture, the newest first. */
function Deeds({ place }: { place: PicturePlace }): ReactNode {
  const [search] = useSearchParams();
  const cursor = search.get("cursor");
  const deeds = useAnswer(
    "GET /cop/agents/activity",
    [{ query: { ...listedIn(place), limit: ROWS, ...(cursor && { cursor }) } }],
    { keepsShown: true },
  );
  return (
    <Section title="What was done">
      <Shown of={deeds}>
        {({ data, meta }) => (
          <>
            <Table
              label="What was done"
              rows={data}
              keyOf={({ id }) => id}
              columns={columnsOf(place)}
              empty="Nothing was done yet. Once there is a live layer and somebody lets it follow, each change stands here."
            />
            <nav className="row" aria-label="Pages">
              {cursor && <Link to={placeQuery(place)}>To the newest</Link>}
              {meta.next && <Link to={`${placeQuery(place)}&cursor=${encodeURIComponent(meta.next)}`}>Older</Link>}
            </nav>
          </>
        )}
      </Shown>
    </Section>
  );
}
