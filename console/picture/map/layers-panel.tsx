import type { ReactNode } from "react";
import { Link } from "react-router";
import { useAct } from "../../api/hooks.ts";
import { BarrierOf } from "../../app/compartments.tsx";
import { Badge, many } from "../../parts/texts.tsx";
import { inPlace, placeQuery, type PicturePlace } from "../place.tsx";
import { ageInWords, TYPE_WORDS, type LayerType } from "./feature-words.ts";
import { newestAge } from "./picture-data.ts";
import type { MapFeature } from "./feature-words.ts";

/** A layer in the list, shown on the map or not. */
export interface LayerChoice {
  id: string;
  name: string;
  type: LayerType;
  /** Absent while looking back. */
  state?: "draft" | "review" | "published" | "cop";
  isOn: boolean;
  /** Who of the problem set sees it; absent while looking back. */
  compartments?: readonly string[];
}

const STATE_WORDS = { draft: "draft", review: "in review", published: "published", cop: "on the COP" } as const;
export const stateInWords = (state: keyof typeof STATE_WORDS): string => STATE_WORDS[state];

interface PanelProps {
  place: PicturePlace;
  layers: readonly LayerChoice[];
  features: readonly MapFeature[];
  onTurn(layer: LayerChoice): void;
}

/** Which layers the map shows, how much lies on each, and how old it is. */
export function LayersPanel({ place, layers, features, onTurn }: PanelProps): ReactNode {
  if (!layers.length)
    return (
      <p className="empty">
        There are no layers yet. A layer holds what the picture shows of one subject: draw one, or let one follow
        resources and sensors, so that they move on the map by themselves.
      </p>
    );
  const line = (layer: LayerChoice): ReactNode => (
    <LayerLine
      key={layer.id}
      {...{ place, layer, onTurn }}
      features={features.filter(({ layerId }) => layerId === layer.id)}
    />
  );
  const [onCop, beside] = [
    layers.filter(({ state }) => state === undefined || state === "cop"),
    layers.filter(({ state }) => state !== undefined && state !== "cop"),
  ];
  return (
    <>
      {onCop.length > 0 && <ul className="list layers">{onCop.map(line)}</ul>}
      {beside.length > 0 && (
        <>
          <h3>Not on the COP yet</h3>
          <ul className="list layers">{beside.map(line)}</ul>
        </>
      )}
    </>
  );
}

function LayerLine({
  place,
  layer: { id, name, type, state, isOn, compartments = [] },
  features,
  onTurn,
}: {
  place: PicturePlace;
  layer: LayerChoice;
  features: readonly MapFeature[];
  onTurn(layer: LayerChoice): void;
}): ReactNode {
  const stale = features.filter(({ feature }) => feature.staleness.state === "stale").length;
  const age = newestAge(features.map(({ feature }) => feature));
  const box = `layer-${id}`;
  return (
    <li>
      <div className="row">
        <input
          id={box}
          type="checkbox"
          checked={isOn}
          onChange={() => onTurn({ id, name, type, isOn, ...(state && { state }) })}
        />
        <span className={`swatch type-${type}`} aria-hidden="true" />
        <label htmlFor={box}>{name}</label>
        {state && state !== "cop" && <Badge tone={state === "draft" ? "plain" : "info"}>{stateInWords(state)}</Badge>}
        <BarrierOf problemSetId={place.problemSetId} compartments={compartments} />
      </div>
      <small className="muted">
        {isOn ? many(features.length, "feature") : TYPE_WORDS[type][0]}
        {stale > 0 && `, ${stale} stale`}
        {age !== undefined && `, newest ${ageInWords(age)}`}
        {state && (
          <>
            {" · "}
            <Link to={`/picture/layers/${id}${placeQuery(place)}`} aria-label={`Details of the layer ${name}`}>
              Details
            </Link>
          </>
        )}
      </small>
    </li>
  );
}

/** Says that live layers stand still, where they do, and lets them follow their sources. */
export function Watching({ place, isWatched }: { place: PicturePlace; isWatched: boolean }): ReactNode {
  const start = useAct("POST /cop/agents/polling/start", { says: "Live layers follow their sources now." });
  if (isWatched) return null;
  return (
    <p className="row">
      <Badge tone="warn">not followed</Badge> Live layers stand still: nobody lets them follow their sources.
      {place.may("cop:watch") && (
        <button type="button" disabled={start.isPending} onClick={() => start.mutate({ body: inPlace(place) })}>
          Let them follow
        </button>
      )}
    </p>
  );
}
