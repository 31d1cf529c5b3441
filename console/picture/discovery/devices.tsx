import { useState, type ReactNode } from "react";
import { useSearchParams } from "react-router";
import type { ListRow } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { useLive } from "../../live/live.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, Form, Select, TextField } from "../../parts/form.tsx";
import { Shown } from "../../parts/page.tsx";
import { Pager, Table, usePage, type Column } from "../../parts/table.tsx";
import { Badge, Time } from "../../parts/texts.tsx";
import { inPlace, liesIn, PictureFrame, type PicturePlace } from "../place.tsx";
import { Scanner } from "./scanner.tsx";

type DeviceShown = ListRow<"GET /discovery/devices">;
type DeviceState = DeviceShown["state"];
const STATES: readonly DeviceState[] = ["discovered", "identified", "allowed", "blocked", "disconnected", "lost"];
const TONES = {
  discovered: "warn",
  identified: "info",
  allowed: "good",
  blocked: "bad",
  disconnected: "bad",
  lost: "plain",
} as const;

export const Devices = (): ReactNode => (
  <PictureFrame
    title="Devices"
    intro="What answers in your networks and around you: who made it, what it offers, and whether it may be there."
  >
    {(place) =>
      place.may("discovery:inspect") ? (
        <>
          {place.problemSetId === undefined && <Scanner place={place} />}
          <DeviceList place={place} />
        </>
      ) : (
        <p className="empty">Your role does not show you the devices of {place.name}.</p>
      )
    }
  </PictureFrame>
);

const nameOfDevice = ({ name, model, identities, id }: DeviceShown): string => name ?? model ?? identities[0] ?? id;

const COLUMNS: readonly Column<DeviceShown>[] = [
  { head: "Device", cell: nameOfDevice },
  {
    head: "State",
    cell: ({ state, disconnected }) => (
      <>
        <Badge tone={TONES[state]}>{state}</Badge>{" "}
        {disconnected && <small className="muted">{disconnected.reason}</small>}
      </>
    ),
  },
  {
    head: "Made by",
    cell: ({ manufacturer, vendor }) => manufacturer ?? vendor ?? <span className="muted">not known</span>,
  },
  {
    head: "Where",
    cell: ({ addresses }) =>
      addresses
        .map(({ address }) => address)
        .slice(0, 2)
        .join(", "),
  },
  {
    head: "Offers",
    cell: ({ services }) =>
      [...new Set(services.map(({ type }) => type))].slice(0, 4).join(", ") || (
        <span className="muted">nothing seen</span>
      ),
  },
  { head: "Last seen", cell: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
];

const cutColumn = (cut: (device: DeviceShown) => void): Column<DeviceShown> => ({
  head: "Acts",
  isAct: true,
  cell: (device) =>
    device.state !== "disconnected" && (
      <button
        type="button"
        className="danger"
        aria-label={`Cut off ${nameOfDevice(device)}`}
        onClick={() => cut(device)}
      >
        Cut off
      </button>
    ),
});

function DeviceList({ place }: { place: PicturePlace }): ReactNode {
  const [search, setSearch] = useSearchParams();
  const page = usePage();
  const [state, q] = [search.get("state"), search.get("q")];
  const [cutting, setCutting] = useState<DeviceShown>();
  const query = {
    ...inPlace(place),
    page,
    sort: "-lastSeenAt" as const,
    ...(state && { state: state as DeviceState }),
    ...(q && { q }),
  };
  const devices = useAnswer("GET /discovery/devices", [{ query }], { keepsShown: true });
  const { problemSetId } = place;
  useLive(problemSetId === undefined ? { topic: "discovery" } : { problemSetId }, ["device.changed", "device.noticed"]);
  return (
    <>
      <Form
        act="Show"
        isInline
        label="Filter devices"
        onSubmit={(fields) => setSearch({ ...fields, set: search.get("set") ?? "" })}
      >
        <Field label="Find" name="q" type="search" defaultValue={q ?? ""} />
        <Select label="State" name="state" defaultValue={state ?? ""} options={[["", "any"], ...STATES]} />
      </Form>
      <Shown of={devices}>
        {({ data, meta }) => (
          <>
            <Table
              label="Devices"
              rows={data.filter(liesIn(place))}
              keyOf={({ id }) => id}
              columns={place.may("discovery:disconnect") ? [...COLUMNS, cutColumn(setCutting)] : COLUMNS}
              empty={
                state || q
                  ? "No device fits these filters."
                  : "No device was seen. Collectors report them here, and the platform itself where its scanner runs."
              }
            />
            <Pager meta={meta} />
          </>
        )}
      </Shown>
      {cutting && <CutOff device={cutting} onClose={() => setCutting(undefined)} />}
    </>
  );
}

function CutOff({ device, onClose }: { device: DeviceShown; onClose(): void }): ReactNode {
  const name = nameOfDevice(device);
  const cut = useAct("POST /discovery/devices/{id}/emergency-disconnect", {
    tellsRefusal: false,
    says: `${name} is cut off.`,
    then: onClose,
  });
  return (
    <Dialog title={`Cut off ${name}`} onClose={onClose}>
      <p>
        Its identities are blocked; sessions, keys and synchronisation under its DID end; whoever watches is told by a
        flash message.
      </p>
      <Form
        act="Cut off"
        onSubmit={({ reason }) => cut.mutateAsync({ path: { id: device.id }, body: { ...(reason && { reason }) } })}
      >
        <TextField label="Why" name="reason" rows={2} required />
      </Form>
    </Dialog>
  );
}
