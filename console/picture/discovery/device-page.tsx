import { useState, type ReactNode } from "react";
import { Link, useParams } from "react-router";
import { useAnswer } from "../../api/hooks.ts";
import { BarrierOf } from "../../app/compartments.tsx";
import { Page, PageOf, Section } from "../../parts/page.tsx";
import { Table, type Column } from "../../parts/table.tsx";
import { Badge, many, Time } from "../../parts/texts.tsx";
import { inPlace, placeQuery, usePlace, type PicturePlace } from "../place.tsx";
import { useDevicesLive } from "./area.tsx";
import { Assessment } from "./assessment.tsx";
import { CutOff } from "./cut-off.tsx";
import { DecideDialog, type Verdict } from "./decide-dialog.tsx";
import { BY_WORDS, inTransportWords, nameOfDevice, TONES, traitOf, type DeviceShown } from "./device-words.ts";

const DECISIONS = {
  undecided: "The access list says nothing of it yet.",
  allowed: "The access list allows it.",
  blocked: "The access list blocks it.",
  disconnected: "It is cut off by an emergency.",
} as const;

/** One device: what was seen of it, by what it is recognised, and whether it may be there. */
export function DevicePage(): ReactNode {
  const { id = "" } = useParams();
  const device = useAnswer("GET /discovery/devices/{id}", [{ path: { id } }]);
  const { place } = usePlace(device.data?.data.problemSetId);
  useDevicesLive(device.data?.data, id);
  return (
    <PageOf of={device} title="Device" back={<Link to={`/picture/discovery${placeQuery(place)}`}>All devices</Link>}>
      {({ data }) => <WholeDevice device={data} place={place} />}
    </PageOf>
  );
}

function WholeDevice({ device, place }: { device: DeviceShown; place: PicturePlace }): ReactNode {
  const [deciding, setDeciding] = useState<Verdict>();
  const [isCutting, setCutting] = useState(false);
  const mayDecide = place.may("discovery:decide");
  return (
    <Page
      title={nameOfDevice(device)}
      acts={
        <>
          {mayDecide && (
            <>
              <button type="button" onClick={() => setDeciding("allow")}>
                Allow
              </button>
              <button type="button" onClick={() => setDeciding("block")}>
                Block
              </button>
            </>
          )}
          {device.state !== "disconnected" && place.may("discovery:disconnect") && (
            <button type="button" className="danger" onClick={() => setCutting(true)}>
              Cut off
            </button>
          )}
        </>
      }
    >
      <p className="row">
        <Link to={`/picture/discovery${placeQuery(place)}`}>All devices</Link>
        <Link to={`/picture/discovery/network${placeQuery(place)}&from=${encodeURIComponent(device.id)}`}>
          What it is linked to
        </Link>
        <BarrierOf {...device} />
      </p>
      <div className="beside">
        <div className="stack">
          <Section title="What it is">
            <Standing device={device} place={place} />
          </Section>
          <Section title="What it offers">
            <Offers of={device.services} />
          </Section>
          {device.analysis && <Assessment analysis={device.analysis} {...(mayDecide && { onFollow: setDeciding })} />}
        </div>
        <div className="stack">
          <Recognised device={device} />
          <Section title="Where it was">
            <Whereabouts device={device} />
          </Section>
        </div>
      </div>
      {deciding && (
        <DecideDialog device={device} kind={deciding} place={place} onClose={() => setDeciding(undefined)} />
      )}
      {isCutting && <CutOff device={device} onClose={() => setCutting(false)} />}
    </Page>
  );
}

function Standing({ device, place }: { device: DeviceShown; place: PicturePlace }): ReactNode {
  const { state, decision, disconnected, manufacturer, model, vendor } = device;
  const { firstSeenAt, lastSeenAt, sightings, transports } = device;
  const list = <Link to={`/picture/discovery/access-list${placeQuery(place)}`}>See the list</Link>;
  return (
    <>
      <p>
        <Badge tone={TONES[state]}>{state}</Badge> {DECISIONS[decision]} {list}
      </p>
      {disconnected && (
        <p>
          {disconnected.byName ?? "Somebody"} cut it off, <Time at={disconnected.at} />: “{disconnected.reason}” To let
          it in again, take its emergency entries off the list.
        </p>
      )}
      <dl>
        <dt>Made by</dt>
        <dd>{manufacturer ?? vendor ?? <span className="muted">not known</span>}</dd>
        {model && (
          <>
            <dt>Model</dt>
            <dd>{model}</dd>
          </>
        )}
        {manufacturer && vendor && (
          <>
            <dt>Its interface by</dt>
            <dd>{vendor}</dd>
          </>
        )}
        <dt>Seen first</dt>
        <dd>
          <Time at={firstSeenAt} />
        </dd>
        <dt>Seen last</dt>
        <dd>
          <Time at={lastSeenAt} />
        </dd>
        <dt>Seen</dt>
        <dd>
          {many(sightings, "time")}, by {inTransportWords(transports)}
        </dd>
        <UnderTarget device={device} place={place} />
      </dl>
    </>
  );
}

const MOST_TARGETS = 100;
/** The scan target under which it was found, by its name. */
function UnderTarget({ device: { targetId }, place }: { device: DeviceShown; place: PicturePlace }): ReactNode {
  const query = { ...inPlace(place), limit: MOST_TARGETS };
  const { data: targets } = useAnswer("GET /discovery/scan-targets", [{ query }], { enabled: targetId !== undefined });
  const target = targets?.data.find(({ id }) => id === targetId);
  return (
    target && (
      <>
        <dt>Found under</dt>
        <dd>
          <Link to={`/picture/discovery/scanning${placeQuery(place)}`}>{target.name}</Link>
        </dd>
      </>
    )
  );
}

const SERVICE_COLUMNS: readonly Column<DeviceShown["services"][number]>[] = [
  { head: "Service", cell: ({ type }) => type },
  { head: "Port", isFigure: true, cell: ({ port }) => port ?? <span className="muted">not known</span> },
  { head: "Says of itself", cell: ({ banner }) => banner ?? <span className="muted">nothing</span> },
];

const Offers = ({ of: services }: { of: DeviceShown["services"] }): ReactNode => (
  <Table
    label="What it offers"
    rows={services}
    keyOf={({ type, port }) => `${type} ${port}`}
    columns={SERVICE_COLUMNS}
    empty="No service of it was seen."
  />
);

const Recognised = ({ device: { identities } }: { device: DeviceShown }): ReactNode => (
  <Section title="By what it is recognised">
    {identities.length ? (
      <>
        <ul className="list">
          {identities.map((identity) => {
            const { by, value } = traitOf(identity);
            return (
              <li key={identity} className="row">
                <span className="muted">{BY_WORDS[by]}</span> <span>{value}</span>
              </li>
            );
          })}
        </ul>
        <p className="muted">The strongest first. It says so itself: none of it is proved.</p>
      </>
    ) : (
      <p className="empty">Nothing tells it from others: next time it may count as another one.</p>
    )}
  </Section>
);

const Whereabouts = ({ device: { addresses, macs } }: { device: DeviceShown }): ReactNode => (
  <>
    {addresses.length ? (
      <ul className="list">
        {addresses.map(({ address, at }) => (
          <li key={address} className="row between">
            <span>{address}</span>
            <Time at={at} />
          </li>
        ))}
      </ul>
    ) : (
      <p className="empty">It has no network address that is known.</p>
    )}
    {macs.length > 0 && <p className="muted">Hardware addresses: {macs.join(", ")}</p>}
  </>
);
