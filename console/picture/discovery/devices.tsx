import { useState, type ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import { useAnswer } from "../../api/hooks.ts";
import { BarrierOf } from "../../app/compartments.tsx";
import { Field, Form, Select } from "../../parts/form.tsx";
import { Shown } from "../../parts/page.tsx";
import { Pager, Table, usePage, type Column } from "../../parts/table.tsx";
import { Badge, Time } from "../../parts/texts.tsx";
import { inPlace, liesIn, placeQuery, type PicturePlace } from "../place.tsx";
import { deviceAddress, DiscoveryFrame, useDevicesLive } from "./area.tsx";
import { CutOff } from "./cut-off.tsx";
import {
  nameOfDevice,
  STATES,
  TONES,
  TRANSPORT_WORDS,
  type DeviceShown,
  type DeviceState,
  type DeviceTransport,
} from "./device-words.ts";
import { ReportDevice } from "./reporting/report-device.tsx";

export const Devices = (): ReactNode => (
  <DiscoveryFrame
    title="Devices"
    intro="What answers in your networks and around you: who made it, what it offers, and whether it may be there."
    renderActs={(place) => place.may("discovery:report") && <ReportDevice place={place} />}
  >
    {(place) => <DeviceList place={place} />}
  </DiscoveryFrame>
);

const columnsOf = (place: PicturePlace): readonly Column<DeviceShown>[] => [
  {
    head: "Device",
    cell: (device) => (
      <>
        <Link to={deviceAddress(device.id, place)}>{nameOfDevice(device)}</Link> <BarrierOf {...device} />
      </>
    ),
  },
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
        .join(", ") || <span className="muted">no address</span>,
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
  const [state, q, transport] = [search.get("state"), search.get("q"), search.get("transport")];
  const [cutting, setCutting] = useState<DeviceShown>();
  const query = {
    ...inPlace(place),
    page,
    sort: "-lastSeenAt" as const,
    ...(state && { state: state as DeviceState }),
    ...(transport && { transport: transport as DeviceTransport }),
    ...(q && { q }),
  };
  const devices = useAnswer("GET /discovery/devices", [{ query }], { keepsShown: true });
  useDevicesLive(place);
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
        <Select
          label="Seen by"
          name="transport"
          defaultValue={transport ?? ""}
          options={[["", "anything"], ...Object.entries(TRANSPORT_WORDS)]}
        />
      </Form>
      <Shown of={devices}>
        {({ data, meta }) => (
          <>
            <Table
              label="Devices"
              rows={data.filter(liesIn(place))}
              keyOf={({ id }) => id}
              columns={
                place.may("discovery:disconnect") ? [...columnsOf(place), cutColumn(setCutting)] : columnsOf(place)
              }
              empty={
                state || q || transport ? (
                  "No device fits these filters."
                ) : (
                  <>
                    No device was seen. Collectors and people report them here, and the platform itself finds them{" "}
                    <Link to={`/picture/discovery/scanning${placeQuery(place)}`}>where it scans</Link>.
                  </>
                )
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
