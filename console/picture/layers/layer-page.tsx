import type { ReactNode } from "react";
import { Link, useParams, useSearchParams } from "react-router";
import { addressOf, type Data, type Op } from "../../api/client.ts";
import { useAnswer } from "../../api/hooks.ts";
import { BarrierOf } from "../../app/compartments.tsx";
import { useLive } from "../../live/live.ts";
import { Page, Section, Shown } from "../../parts/page.tsx";
import { Badge, many, Time } from "../../parts/texts.tsx";
import { usePlace, type PicturePlace } from "../place.tsx";
import { TYPE_WORDS } from "../map/feature-words.ts";
import { stateInWords } from "../map/layers-panel.tsx";
import { ChangeLayer } from "./change-layer.tsx";
import { Moves } from "./moves.tsx";
import { Remarks } from "./remarks.tsx";
import { Versions } from "./versions.tsx";

export type WholeLayer = Data<"GET /cop/layers/{id}">;

const EXPORTS: readonly (readonly [op: Op, words: string])[] = [
  ["GET /cop/layers/{id}/geojson", "GeoJSON"],
  ["GET /cop/layers/{id}/kml", "KML"],
  ["GET /cop/layers/{id}/cot", "Cursor on Target"],
];

/** One layer: where it stands on its way to the COP, what reviewers say, and what it was before. */
export function LayerPage(): ReactNode {
  const { id = "" } = useParams();
  const [search] = useSearchParams();
  const layer = useAnswer("GET /cop/layers/{id}", [{ path: { id } }]);
  const problemSetId = layer.data?.data.problemSetId;
  const { place } = usePlace(problemSetId);
  useLive(
    problemSetId === undefined ? { topic: "cop" } : { problemSetId },
    ["cop.layer.changed", "activity.item"],
    (event, { data }) =>
      event === "cop.layer.changed"
        ? data.layerId === id
          ? undefined
          : false
        : data.subject?.id === id
          ? undefined
          : false,
  );
  return (
    <Page
      title={layer.data?.data.name ?? "Layer"}
      intro="A layer of the picture, on its way from a draft to the map of everybody."
      acts={layer.data && place.may("cop:draft") && <ChangeLayer layer={layer.data.data} />}
    >
      <p>
        <Link to={`/picture?${search}`}>Back to the map</Link>
      </p>
      <Shown of={layer}>{({ data }) => <Whole layer={data} place={place} />}</Shown>
    </Page>
  );
}

function Whole({ layer, place }: { layer: WholeLayer; place: PicturePlace }): ReactNode {
  const { id, kind, type, state, description, specByName, specBy, specAt, version, featureCollection, missing } = layer;
  const known = `${many(featureCollection.features.length, "feature")} now`;
  return (
    <div className="beside">
      <div className="stack">
        <Section title="Where it stands">
          <p>
            <Badge tone={state === "cop" ? "good" : state === "draft" ? "plain" : "info"}>{stateInWords(state)}</Badge>{" "}
            <BarrierOf {...layer} />{" "}
            {kind === "live" ? `It follows ${layer.source ?? "records"} by itself.` : "It is drawn by hand."}
          </p>
          {description && <p>{description}</p>}
          {missing && <p className="muted">{missing}</p>}
          <dl>
            <dt>Shows</dt>
            <dd>
              {TYPE_WORDS[type][0]}, {known}
            </dd>
            <dt>Version</dt>
            <dd>
              {version} by {specByName ?? specBy ?? "nobody yet"}, <Time at={specAt} />
            </dd>
          </dl>
          <Moves layer={layer} place={place} />
        </Section>
        <Remarks layer={layer} place={place} />
      </div>
      <div className="stack">
        <Section title="Take it along">
          <div className="row">
            {EXPORTS.map(([op, words]) => (
              <a key={op} className="button" href={addressOf(op, { path: { id } })} download>
                {words}
              </a>
            ))}
          </div>
        </Section>
        <Versions layer={layer} place={place} />
        <Section title="How it came here">
          <ol className="list" reversed>
            {layer.moves.toReversed().map(({ at, from, to, byName, by, reason }) => (
              <li key={`${at} ${to}`}>
                {stateInWords(from)} → {stateInWords(to)}, {byName ?? by}, <Time at={at} />
                {reason && <small className="muted"> “{reason}”</small>}
              </li>
            ))}
          </ol>
          {!layer.moves.length && <p className="empty">It has not moved yet.</p>}
        </Section>
      </div>
    </div>
  );
}
