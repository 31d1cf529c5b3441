import type { ReactNode } from "react";
import { Link } from "react-router";
import { Section } from "../../parts/page.tsx";
import { Badge, Time } from "../../parts/texts.tsx";
import { placeQuery, type PicturePlace } from "../place.tsx";
import { ageInWords, nameOf, propertiesInWords, type MapFeature } from "./feature-words.ts";
import { placeInWords } from "./positions.ts";
import { useSymbols } from "./leaflet/symbols.ts";

/** Where the console shows what a feature was made from. */
const PAGES: Record<string, string> = { resource: "resources", sensor: "sensors" };

/** What one feature says: what it is, where, how old, by whom, how sure. */
export function FeaturePanel({
  one,
  place,
  guesses,
  acts,
  onClose,
}: {
  one: MapFeature;
  place: PicturePlace;
  /** What it may be. */
  guesses: ReactNode;
  acts: ReactNode;
  onClose(): void;
}): ReactNode {
  const { properties, staleness, geometry } = one.feature;
  const { state, ageSeconds, staleAt } = staleness;
  const page = PAGES[String(properties?.entityType)];
  return (
    <Section
      title={nameOf(one)}
      acts={
        <button type="button" className="plain" aria-label={`Close ${nameOf(one)}`} onClick={onClose}>
          ×
        </button>
      }
    >
      <SymbolLine code={properties?.symbol} />
      <dl>
        <dt>Layer</dt>
        <dd>{one.layer}</dd>
        <dt>Place</dt>
        <dd>{placeInWords(geometry)}</dd>
        <dt>Age</dt>
        <dd>
          <Badge tone={state === "stale" ? "warn" : "good"}>{state}</Badge>{" "}
          {ageSeconds === undefined ? "It does not say when it was seen." : ageInWords(ageSeconds)}
        </dd>
        {typeof properties?.at === "string" && (
          <>
            <dt>Seen</dt>
            <dd>
              <Time at={properties.at} />
            </dd>
          </>
        )}
        {staleAt && (
          <>
            <dt>{state === "stale" ? "Held until" : "Holds until"}</dt>
            <dd>
              <Time at={staleAt} />
            </dd>
          </>
        )}
        {propertiesInWords(one.feature).map(([head, words]) => (
          <Pair key={head} {...{ head, words }} />
        ))}
      </dl>
      {guesses}
      <div className="row">
        {page && (
          <Link className="button" to={`/picture/${page}/${String(properties?.entityId)}${placeQuery(place)}`}>
            Open the {String(properties?.entityType)}
          </Link>
        )}
        {acts}
      </div>
    </Section>
  );
}

const Pair = ({ head, words }: { head: string; words: string }): ReactNode => (
  <>
    <dt>{head}</dt>
    <dd>{words}</dd>
  </>
);

function SymbolLine({ code }: { code: unknown }): ReactNode {
  const symbolOf = useSymbols(typeof code === "string");
  const image = typeof code === "string" ? symbolOf?.(code) : undefined;
  if (typeof code !== "string") return null;
  return (
    <p className="row">
      {image && <img alt="" src={`data:image/svg+xml,${encodeURIComponent(image.svg)}`} height={34} />}
      <small className="muted">
        MIL-STD-2525 symbol <code>{code}</code>
      </small>
    </p>
  );
}
