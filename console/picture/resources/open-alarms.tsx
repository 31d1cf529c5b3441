import { useEffect, useRef, useState, type ReactNode } from "react";
import { Link } from "react-router";
import type { ListRow } from "../../api/client.ts";
import { useAnswer } from "../../api/hooks.ts";
import { useLive } from "../../live/live.ts";
import { notify } from "../../parts/notices.tsx";
import { Section } from "../../parts/page.tsx";
import { many } from "../../parts/texts.tsx";
import { listedIn, placeQuery, type PicturePlace } from "../place.tsx";
import { Acknowledge, AlarmLine, alarmInWords, bySeverity } from "./alarms.tsx";

type OpenAlarm = ListRow<"GET /resources/alarms">;
const MOST_READ = 100;
/** More than these would push all else away. */
const MOST_SHOWN = 5;
const MOST_CLEARED = 10;

/** Those that nobody has seen come first, the worst of them at the top. */
const byUrgency = (one: OpenAlarm, other: OpenAlarm): number =>
  Number(one.acknowledgedAt !== undefined) - Number(other.acknowledgedAt !== undefined) ||
  bySeverity(one, other) ||
  (one.raisedAt < other.raisedAt ? 1 : -1);

/** Says aloud what is raised while somebody looks on; what stood before is in the list. */
function useSaid(open: readonly OpenAlarm[] | undefined): void {
  const known = useRef<Set<string>>(undefined);
  useEffect(() => {
    if (!open) return;
    for (const one of open)
      if (known.current && !known.current.has(one.id))
        notify(`${one.resource ?? "Alarm"}: ${alarmInWords(one)}`, "bad");
    known.current = new Set([...(known.current ?? []), ...open.map(({ id }) => id)]);
  }, [open]);
}

/** What all resources of a place raise now, each to be acknowledged, and what they raised before. */
export function OpenAlarms({
  place,
  isQuietWhenNone = false,
}: {
  place: PicturePlace;
  /** Nothing is said where none is open. */
  isQuietWhenNone?: boolean;
}): ReactNode {
  const asked = { ...listedIn(place), limit: MOST_READ };
  const alarms = useAnswer("GET /resources/alarms", [{ query: asked }]);
  // Of very many the worst are asked for apart: they may be the oldest.
  const areMany = (alarms.data?.meta.total ?? 0) > MOST_READ;
  const worst = useAnswer("GET /resources/alarms", [{ query: { ...asked, severity: "critical" } }], {
    enabled: areMany,
  });
  const { problemSetId } = place;
  useLive(problemSetId === undefined ? { topic: "telemetry" } : { problemSetId }, ["alarm.changed"], undefined, {
    ops: ["GET /resources/alarms"],
  });
  useSaid(alarms.data?.data);
  const [seen, setSeen] = useState<OpenAlarm>();
  if (!alarms.data || (isQuietWhenNone && !alarms.data.data.length)) return null;
  const { data, meta } = alarms.data;
  const read = new Map([...(areMany ? (worst.data?.data ?? []) : []), ...data].map((one) => [one.id, one]));
  const open = [...read.values()].toSorted(byUrgency);
  const [first, rest] = [open.slice(0, MOST_SHOWN), open.slice(MOST_SHOWN)];
  const line = (one: OpenAlarm): ReactNode => (
    <AlarmLine
      key={one.id}
      alarm={one}
      of={<ResourceOf alarm={one} place={place} />}
      acts={
        place.may("resources:report") &&
        !one.acknowledgedAt && (
          <button
            type="button"
            aria-label={`Acknowledge: ${one.resource ?? ""}, ${one.key}`}
            onClick={() => setSeen(one)}
          >
            Acknowledge
          </button>
        )
      }
    />
  );
  return (
    <Section title={open.length ? `${many(meta.total, "open alarm")}${meta.more ? " or more" : ""}` : "Alarms"}>
      {open.length ? <ul className="list">{first.map(line)}</ul> : <p className="empty">No alarm is open.</p>}
      {rest.length > 0 && (
        <details>
          <summary>{many(rest.length, "more alarm")}</summary>
          <ul className="list">{rest.map(line)}</ul>
        </details>
      )}
      <Cleared place={place} />
      {seen && <Acknowledge alarm={seen} resourceId={seen.resourceId} onClose={() => setSeen(undefined)} />}
    </Section>
  );
}

const ResourceOf = ({ alarm, place }: { alarm: OpenAlarm; place: PicturePlace }): ReactNode => (
  <Link to={`/picture/resources/${alarm.resourceId}${placeQuery(place)}`}>{alarm.resource ?? "A resource"}</Link>
);

/** What is over, read when somebody wants to see it. */
function Cleared({ place }: { place: PicturePlace }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const query = { ...listedIn(place), state: "cleared" as const, limit: MOST_CLEARED };
  const over = useAnswer("GET /resources/alarms", [{ query }], { enabled: isOpen });
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>What is over</summary>
      {over.data?.data.length === 0 && <p className="empty">No alarm was raised and ended yet.</p>}
      <ul className="list">
        {over.data?.data.map((one) => (
          <AlarmLine key={one.id} alarm={one} of={<ResourceOf alarm={one} place={place} />} />
        ))}
      </ul>
      {(over.data?.meta.total ?? 0) > MOST_CLEARED && (
        <p className="muted">
          The newest {MOST_CLEARED} of {over.data!.meta.total}; a resource's own page has all of its alarms.
        </p>
      )}
    </details>
  );
}
