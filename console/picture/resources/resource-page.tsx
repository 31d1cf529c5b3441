import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { Link, useNavigate, useParams } from "react-router";
import type { Answer, Data } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { BarrierOf } from "../../app/compartments.tsx";
import { useLive, type Envelope } from "../../live/live.ts";
import { ConfirmButton } from "../../parts/dialog.tsx";
import { Page, Section, Shown } from "../../parts/page.tsx";
import { Time } from "../../parts/texts.tsx";
import { inDegrees } from "../map/positions.ts";
import { placeQuery, usePlace, type PicturePlace } from "../place.tsx";
import { SeriesLine } from "../readings/series.tsx";
import { HearRegister } from "./area.tsx";
import { Alarms } from "./alarms.tsx";
import { ReadinessForm } from "./readiness.tsx";
import { ReadingForm, SeriesDialog, Thresholds } from "./measuring.tsx";
import { RegisterDid } from "./register-did.tsx";
import { ResourceDialog } from "./resource-form.tsx";
import { ReadinessBadge, type ResourceShown } from "./resources.tsx";

/** What is drawn of readings is read again at most so often while they come. */
const BETWEEN_MS = 10_000;
type Latest = Answer<"GET /resources/{id}/telemetry">;

/** New readings take the place of the last ones without a request; lines and alarms follow a little later. */
function useLiveReadings(id: string, problemSetId: string | undefined, isKnown: boolean): void {
  const client = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const hear = (event: string, { data }: Envelope): false | void => {
    if (event === "activity.item") return data.subject?.id === id ? undefined : false;
    const mine = (data.readings as (Latest["data"][number] & { resourceId: string })[]).filter(
      ({ resourceId }) => resourceId === id,
    );
    if (!mine.length) return false;
    client.setQueryData<Latest>(["GET /resources/{id}/telemetry", { path: { id } }], (before) => {
      const latest = new Map(before?.data.map((one) => [one.key, one]));
      for (const { key, at, value } of mine) if ((latest.get(key)?.at ?? "") <= at) latest.set(key, { key, at, value });
      return { data: [...latest.values()] };
    });
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      for (const op of [
        "GET /resources/{id}/telemetry/{key}/points",
        "GET /resources/{id}/alarms",
        "GET /resources/{id}",
      ])
        void client.invalidateQueries({ queryKey: [op] });
    }, BETWEEN_MS);
    return false;
  };
  const where = problemSetId === undefined ? { topic: "telemetry" } : { problemSetId };
  useLive(isKnown ? where : undefined, ["telemetry.update", "activity.item"], hear);
}

/** One resource: how ready it is, what it measures, and what is wrong with it. */
export function ResourcePage(): ReactNode {
  const { id = "" } = useParams();
  const resource = useAnswer("GET /resources/{id}", [{ path: { id } }]);
  const problemSetId = resource.data?.data.problemSetId;
  const { place } = usePlace(problemSetId);
  useLiveReadings(id, problemSetId, resource.data !== undefined);
  return (
    <Page
      title={resource.data?.data.name ?? "Resource"}
      acts={
        resource.data && place.may("resources:edit") && <ResourceActs resource={resource.data.data} place={place} />
      }
    >
      <p>
        <Link to={`/picture/resources${placeQuery(place)}`}>All resources</Link>{" "}
        {resource.data && <BarrierOf {...resource.data.data} />}
      </p>
      {resource.data && <HearRegister {...place} />}
      <Shown of={resource}>{({ data }) => <Resource resource={data} place={place} />}</Shown>
    </Page>
  );
}

function ResourceActs({ resource, place }: { resource: ResourceShown; place: PicturePlace }): ReactNode {
  const [isChanging, setChanging] = useState(false);
  const [isRegistering, setRegistering] = useState(false);
  const go = useNavigate();
  const remove = useAct("DELETE /resources/{id}", {
    says: `${resource.name} was removed.`,
    then: () => void go(`/picture/resources${placeQuery(place)}`),
  });
  return (
    <>
      <button type="button" onClick={() => setChanging(true)}>
        Change
      </button>
      {resource.did === undefined && (
        <button type="button" onClick={() => setRegistering(true)}>
          Register under an identifier
        </button>
      )}
      <ConfirmButton
        words="Remove"
        className="danger"
        title={`Remove ${resource.name}?`}
        run={() => remove.mutateAsync({ path: { id: resource.id } })}
      >
        <p>Its readings and alarms go with it. It goes from the map as well.</p>
      </ConfirmButton>
      {isRegistering && <RegisterDid resource={resource} onClose={() => setRegistering(false)} />}
      {isChanging && <ResourceDialog place={place} before={resource} onClose={() => setChanging(false)} />}
    </>
  );
}

function Resource({ resource, place }: { resource: Data<"GET /resources/{id}">; place: PicturePlace }): ReactNode {
  const { id, series, thresholds } = resource;
  const latest = useAnswer("GET /resources/{id}/telemetry", [{ path: { id } }]);
  const [isAdding, setAdding] = useState(false);
  const declared = new Set(series.map(({ key }) => key));
  const all = [
    ...series,
    // Readings come of series that nobody declared as well.
    ...(latest.data?.data ?? []).flatMap(({ key, value }) =>
      declared.has(key) ? [] : [{ key, type: typeof value as "number" | "boolean" | "text" }],
    ),
  ];
  return (
    <div className="beside">
      <div className="stack">
        <Alarms resource={resource} mayAcknowledge={place.may("resources:report")} />
        <Section
          title="Readings"
          acts={
            place.may("resources:edit") && (
              <button type="button" onClick={() => setAdding(true)}>
                Add a series
              </button>
            )
          }
        >
          {all.length ? (
            <ul className="list">
              {all.map((one) => (
                <SeriesLine
                  key={one.key}
                  resourceId={id}
                  series={one}
                  thresholds={thresholds.filter(({ key }) => key === one.key)}
                  latest={latest.data?.data.find(({ key }) => key === one.key)}
                />
              ))}
            </ul>
          ) : (
            <p className="empty">
              It measures nothing yet. Add a series, as fuel in %, and send readings by the API or by hand.
            </p>
          )}
          {place.may("resources:report") && all.length > 0 && <ReadingForm resourceId={id} series={all} />}
          {isAdding && <SeriesDialog resource={resource} onClose={() => setAdding(false)} />}
        </Section>
      </div>
      <div className="stack">
        <Facts resource={resource} place={place} />
        <Thresholds resource={resource} mayEdit={place.may("resources:edit")} />
      </div>
    </div>
  );
}

function Facts({ resource, place }: { resource: ResourceShown; place: PicturePlace }): ReactNode {
  const { id, kind, readiness, readinessReason, readinessAt, location, locatedAt, ...rest } = resource;
  const { description, serial, capabilities, did, createdByName, createdBy, createdAt } = rest;
  return (
    <Section title="What it is">
      <p>
        <ReadinessBadge of={readiness} /> {readinessReason}{" "}
        <small className="muted">
          since <Time at={readinessAt} />
        </small>
      </p>
      {description && <p>{description}</p>}
      <dl>
        <dt>Kind</dt>
        <dd>{kind}</dd>
        <dt>Place</dt>
        <dd>
          {location ? (
            <>
              {inDegrees([location.longitude, location.latitude])}, <Time at={locatedAt} />
            </>
          ) : (
            "not known"
          )}
        </dd>
        {serial && (
          <>
            <dt>Serial</dt>
            <dd>{serial}</dd>
          </>
        )}
        {capabilities.length > 0 && (
          <>
            <dt>Can do</dt>
            <dd>{capabilities.map((code) => code.replaceAll(".", ": ").replaceAll("-", " ")).join(", ")}</dd>
          </>
        )}
        {did && (
          <>
            <dt>DID</dt>
            <dd>
              <code>{did}</code>
            </dd>
          </>
        )}
        <dt>Added by</dt>
        <dd>
          {createdByName ?? createdBy}, <Time at={createdAt} />
        </dd>
      </dl>
      {place.may("resources:edit") && <ReadinessForm resource={resource} key={`${id} ${readiness}`} />}
    </Section>
  );
}
