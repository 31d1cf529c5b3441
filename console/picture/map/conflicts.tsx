import { useState, type ReactNode } from "react";
import type { ListRow } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Form, TextField } from "../../parts/form.tsx";
import { Section } from "../../parts/page.tsx";
import { Badge, many } from "../../parts/texts.tsx";
import { listedIn, type PicturePlace } from "../place.tsx";
import { keyOf } from "./feature-words.ts";

type Contradiction = ListRow<"GET /cop/conflicts">;
const MOST_READ = 100;
/** More than these would push all else away. */
const MOST_SHOWN = 5;
const WORST_FIRST = ["high", "medium", "low"];
const TONES = { high: "bad", medium: "warn", low: "plain" } as const;

/** Where layers on the COP contradict one another; nothing is said where they do not. */
export function Contradictions({ place, onSelect }: { place: PicturePlace; onSelect(key: string): void }): ReactNode {
  const asked = { ...listedIn(place), state: "open", limit: MOST_READ } as const;
  const { data } = useAnswer("GET /cop/conflicts", [{ query: asked }]);
  // Of very many the worst are asked for apart: they may be the oldest.
  const areMany = (data?.meta.total ?? 0) > MOST_READ;
  const worst = useAnswer("GET /cop/conflicts", [{ query: { ...asked, severity: "high" } }], { enabled: areMany });
  const [settling, setSettling] = useState<Contradiction>();
  const read = new Map(
    [...(areMany ? (worst.data?.data ?? []) : []), ...(data?.data ?? [])].map((one) => [one.id, one]),
  );
  const open = [...read.values()].toSorted(
    (one, other) => WORST_FIRST.indexOf(one.severity) - WORST_FIRST.indexOf(other.severity),
  );
  if (!open.length) return null;
  const [first, rest] = [open.slice(0, MOST_SHOWN), open.slice(MOST_SHOWN)];
  const line = (one: Contradiction): ReactNode => (
    <Line key={one.id} {...{ one, place, onSelect }} onSettle={() => setSettling(one)} />
  );
  return (
    <Section title={`${many(data!.meta.total, "contradiction")} on the map`}>
      <ul className="list">{first.map(line)}</ul>
      {rest.length > 0 && (
        <details>
          <summary>{many(rest.length, "more contradiction")}</summary>
          <ul className="list">{rest.map(line)}</ul>
        </details>
      )}
      {settling && <Settle {...settling} onClose={() => setSettling(undefined)} />}
    </Section>
  );
}

interface LineProps {
  one: Contradiction;
  place: PicturePlace;
  onSelect(key: string): void;
  onSettle(): void;
}

function Line({ one: { severity, summary, features }, place, onSelect, onSettle }: LineProps): ReactNode {
  return (
    <li>
      <Badge tone={TONES[severity]}>{severity}</Badge> {summary}
      <div className="row">
        {features.map(({ layerId, layer, featureId }) => (
          <button
            key={`${layerId} ${featureId}`}
            type="button"
            aria-label={`Show what ${layer ?? "the layer"} says: ${summary}`}
            onClick={() => onSelect(keyOf(layerId, featureId))}
          >
            {layer ?? "Show"}
          </button>
        ))}
        {place.may("cop:review") && (
          <button type="button" aria-label={`Settle: ${summary}`} onClick={onSettle}>
            Settle
          </button>
        )}
      </div>
    </li>
  );
}

function Settle({ id, summary, onClose }: Contradiction & { onClose(): void }): ReactNode {
  const given = { tellsRefusal: false, then: onClose };
  const resolve = useAct("POST /cop/conflicts/{id}/resolve", {
    ...given,
    says: "It is settled, until its evidence changes.",
  });
  const waive = useAct("POST /cop/conflicts/{id}/waive", { ...given, says: "It is waived, and does not come back." });
  const [how, setHow] = useState<"resolve" | "waive">("resolve");
  return (
    <Dialog title="Settle a contradiction" onClose={onClose}>
      <p>{summary}</p>
      <Form
        act="Settle"
        onSubmit={({ reason = "" }) =>
          (how === "resolve" ? resolve : waive).mutateAsync({ path: { id }, body: { reason } })
        }
      >
        <fieldset>
          <legend>How</legend>
          {(
            [
              ["resolve", "Resolved: it comes back when its evidence changes"],
              ["waive", "Waived: it never comes back"],
            ] as const
          ).map(([value, words]) => (
            <label key={value} className="check">
              <input type="radio" name="how" checked={how === value} onChange={() => setHow(value)} /> {words}
            </label>
          ))}
        </fieldset>
        <TextField label="Why" name="reason" minLength={3} required />
      </Form>
    </Dialog>
  );
}
