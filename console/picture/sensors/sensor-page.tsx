import { useState, type ReactNode } from "react";
import { Link, useNavigate, useParams } from "react-router";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { BarrierOf } from "../../app/compartments.tsx";
import { useLive } from "../../live/live.ts";
import { ConfirmButton, Dialog } from "../../parts/dialog.tsx";
import { Form } from "../../parts/form.tsx";
import { Page, Section, Shown } from "../../parts/page.tsx";
import { Time } from "../../parts/texts.tsx";
import { LocationFields, locationOf } from "../location-fields.tsx";
import { inDegrees } from "../map/positions.ts";
import { placeQuery, usePlace, type PicturePlace } from "../place.tsx";
import { coverageInWords } from "./coverage.ts";
import { SensorDialog } from "./sensor-form.tsx";
import { StatusBadge, type SensorShown } from "./sensors.tsx";

/** One sensor: whether it reports, what it covers, and where it was. */
export function SensorPage(): ReactNode {
  const { id = "" } = useParams();
  const sensor = useAnswer("GET /sensors/{id}", [{ path: { id } }]);
  const problemSetId = sensor.data?.data.problemSetId;
  const { place } = usePlace(problemSetId);
  useLive(
    problemSetId === undefined ? { topic: "sensors" } : { problemSetId },
    ["sensor.changed"],
    (_event, { data }) => (data.sensorId === id ? undefined : false),
  );
  return (
    <Page
      title={sensor.data?.data.name ?? "Sensor"}
      acts={sensor.data && place.may("sensors:edit") && <SensorActs sensor={sensor.data.data} place={place} />}
    >
      <p>
        <Link to={`/picture/sensors${placeQuery(place)}`}>All sensors</Link>{" "}
        {sensor.data && <BarrierOf {...sensor.data.data} />}
      </p>
      <Shown of={sensor}>
        {({ data }) => (
          <div className="beside">
            <State sensor={data} mayReport={place.may("sensors:report")} />
            <Track sensor={data} />
          </div>
        )}
      </Shown>
    </Page>
  );
}

function SensorActs({ sensor, place }: { sensor: SensorShown; place: PicturePlace }): ReactNode {
  const [isChanging, setChanging] = useState(false);
  const go = useNavigate();
  const remove = useAct("DELETE /sensors/{id}", {
    says: `${sensor.name} is off the register.`,
    then: () => void go(`/picture/sensors${placeQuery(place)}`),
  });
  return (
    <>
      <button type="button" onClick={() => setChanging(true)}>
        Change
      </button>
      <ConfirmButton
        words="Remove"
        className="danger"
        title={`Take ${sensor.name} off the register?`}
        run={() => remove.mutateAsync({ path: { id: sensor.id } })}
      >
        <p>Its track goes with it, and what it covers is no longer counted.</p>
      </ConfirmButton>
      {isChanging && <SensorDialog place={place} before={sensor} onClose={() => setChanging(false)} />}
    </>
  );
}

const every = (seconds: number): string =>
  seconds % 3_600 === 0 ? `${seconds / 3_600} h` : seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;

function State({ sensor, mayReport }: { sensor: SensorShown; mayReport: boolean }): ReactNode {
  const { id, kind, status, description, lastSeenAt, heartbeatSeconds, coverage, measured } = sensor;
  const report = useAct("PATCH /sensors/{id}/status", { says: ({ data }) => `${data.name} is ${data.status}.` });
  return (
    <Section title="State">
      <p>
        <StatusBadge of={status} />{" "}
        {status === "silent" && `It should report every ${every(heartbeatSeconds)}, and three reports did not come.`}
      </p>
      {description && <p>{description}</p>}
      <dl>
        <dt>Kind</dt>
        <dd>{kind}</dd>
        <dt>Last report</dt>
        <dd>
          <Time at={lastSeenAt} />, expected every {every(heartbeatSeconds)}
        </dd>
        <dt>Covers</dt>
        <dd>{coverageInWords(coverage) ?? "not said"}</dd>
        {measured && (
          <>
            <dt>Measured</dt>
            <dd>
              {coverageInWords(measured.coverage)} by {measured.byName ?? measured.by}, valid until{" "}
              <Time at={measured.staleAt} />
            </dd>
          </>
        )}
      </dl>
      {mayReport && (
        <div className="row" role="group" aria-label="Report for it">
          {(
            [
              ["active", "It works"],
              ["degraded", "It works badly"],
              ["off", "It is off"],
            ] as const
          ).map(([to, words]) => (
            <button
              key={to}
              type="button"
              disabled={report.isPending}
              onClick={() => report.mutate({ path: { id }, body: { status: to } })}
            >
              {words}
            </button>
          ))}
          <MoveIt sensor={sensor} />
        </div>
      )}
    </Section>
  );
}

function MoveIt({ sensor: { id, name, location } }: { sensor: SensorShown }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const move = useAct("PATCH /sensors/{id}/location", {
    tellsRefusal: false,
    says: `${name} is there.`,
    then: () => setOpen(false),
  });
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Say where it is
      </button>
      {isOpen && (
        <Dialog title={`Where is ${name}?`} onClose={() => setOpen(false)}>
          <Form
            act="Save"
            onSubmit={(fields) => {
              const there = locationOf(fields);
              if (!there) throw new Error("Say a latitude and a longitude.");
              return move.mutateAsync({ path: { id }, body: there });
            }}
          >
            <LocationFields {...(location && { location })} />
          </Form>
        </Dialog>
      )}
    </>
  );
}

function Track({ sensor: { id, location, locatedAt } }: { sensor: SensorShown }): ReactNode {
  const track = useAnswer("GET /sensors/{id}/track", [{ path: { id }, query: { limit: 10 } }]);
  return (
    <Section title="Where it is">
      {location ? (
        <p>
          {inDegrees([location.longitude, location.latitude])}, <Time at={locatedAt} />
        </p>
      ) : (
        <p className="empty">Nobody has said where it is: it is not on the map.</p>
      )}
      <Shown of={track}>
        {({ data }) =>
          data.length > 1 && (
            <details>
              <summary>Where it was</summary>
              <ol className="list">
                {data.map(({ at, location: was }) => (
                  <li key={at}>
                    {inDegrees([was.longitude, was.latitude])}, <Time at={at} />
                  </li>
                ))}
              </ol>
            </details>
          )
        }
      </Shown>
    </Section>
  );
}
