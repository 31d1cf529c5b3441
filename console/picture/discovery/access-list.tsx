import { useState, type ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import type { ListRow } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { BarrierOf } from "../../app/compartments.tsx";
import { ConfirmButton } from "../../parts/dialog.tsx";
import { Shown } from "../../parts/page.tsx";
import { Pager, Table, usePage, type Column } from "../../parts/table.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { Badge, Time } from "../../parts/texts.tsx";
import { inPlace, placeQuery, type PicturePlace } from "../place.tsx";
import { deviceAddress, DiscoveryFrame, useDevicesLive } from "./area.tsx";
import { EntryDialog, type Verdict } from "./decide-dialog.tsx";
import { BY_WORDS, inTraitWords } from "./device-words.ts";

type AccessEntry = ListRow<"GET /discovery/access-list">;
const KINDS: readonly (readonly [kind: string, words: string])[] = [
  ["", "All"],
  ["block", "Blocked"],
  ["allow", "Allowed"],
];

/** Which devices may be there: each entry decides on all that it fits. */
export const AccessList = (): ReactNode => (
  <DiscoveryFrame
    title="Allowed and blocked"
    intro="Which devices may be there. Any entry that blocks wins, then any that allows; of the others nothing is decided."
    renderActs={(place) => place.may("discovery:decide") && <AddEntry place={place} />}
  >
    {(place) => <Entries place={place} />}
  </DiscoveryFrame>
);

function AddEntry({ place }: { place: PicturePlace }): ReactNode {
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <button type="button" className="primary" onClick={() => setAdding(true)}>
        Allow or block
      </button>
      {isAdding && <EntryDialog place={place} onClose={() => setAdding(false)} />}
    </>
  );
}

function Entries({ place }: { place: PicturePlace }): ReactNode {
  const [search] = useSearchParams();
  const page = usePage();
  const kind = search.get("kind") ?? "";
  const query = { ...inPlace(place), page, sort: "-createdAt" as const, ...(kind && { kind: kind as Verdict }) };
  const entries = useAnswer("GET /discovery/access-list", [{ query }], { keepsShown: true });
  useDevicesLive(place);
  return (
    <>
      {place.problemSetId !== undefined && (
        <p className="muted">
          These are the entries of {place.name}. Those of the platform itself decide on its devices as well.
        </p>
      )}
      <Tabs
        label="Which entries"
        of={KINDS.map(([one, words]) => ({
          to: { search: `${placeQuery(place)}${one && `&kind=${one}`}` },
          words,
          isHere: one === kind,
        }))}
      />
      <Shown of={entries}>
        {({ data, meta }) => (
          <>
            <Table
              label="Access list"
              rows={data}
              keyOf={({ id }) => id}
              columns={place.may("discovery:decide") ? [...columnsOf(place), REMOVE] : columnsOf(place)}
              empty="Nothing is on this list: devices are seen, and neither allowed nor blocked."
            />
            <Pager meta={meta} />
          </>
        )}
      </Shown>
    </>
  );
}

const columnsOf = (place: PicturePlace): readonly Column<AccessEntry>[] => [
  {
    head: "Which devices",
    cell: ({ by, value, ...entry }) => (
      <>
        <small className="muted">{BY_WORDS[by]}</small> {value} <BarrierOf {...entry} />
      </>
    ),
  },
  {
    head: "Are",
    cell: ({ kind, emergency }) => (
      <>
        <Badge tone={kind === "allow" ? "good" : "bad"}>{kind === "allow" ? "allowed" : "blocked"}</Badge>{" "}
        {emergency && <Badge tone="bad">emergency</Badge>}
      </>
    ),
  },
  {
    head: "Why",
    cell: ({ reason, deviceId }) => (
      <>
        {reason ?? <span className="muted">not said</span>}{" "}
        {deviceId && <Link to={deviceAddress(deviceId, place)}>The device</Link>}
      </>
    ),
  },
  { head: "By", cell: ({ createdBy, createdByName }) => createdByName ?? byOf(createdBy) },
  { head: "Since", cell: ({ createdAt }) => <Time at={createdAt} /> },
  { head: "Until", cell: ({ expiresAt }) => (expiresAt ? <Time at={expiresAt} /> : "taken off") },
];
const byOf = (id: string): string => (id.startsWith("system:") ? "an emergency" : "somebody");

const REMOVE: Column<AccessEntry> = {
  head: "Acts",
  isAct: true,
  cell: (entry) => <TakeOff entry={entry} />,
};

function TakeOff({ entry }: { entry: AccessEntry }): ReactNode {
  const { id, kind, emergency } = entry;
  const which = inTraitWords(entry);
  const remove = useAct("DELETE /discovery/access-list/{id}", { says: "It is off the list." });
  return (
    <ConfirmButton
      words="Take off"
      label={`Take off the list: ${which}`}
      title={`Take ${which} off the list?`}
      act="Take off"
      run={() => remove.mutateAsync({ path: { id } })}
    >
      <p>
        {kind === "allow"
          ? "What it allowed is allowed no longer, unless another entry does."
          : "What it blocked is blocked no longer, unless another entry does."}
        {emergency && " It was put there by an emergency: what was cut off may come back."}
      </p>
    </ConfirmButton>
  );
}
