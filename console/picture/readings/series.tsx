import { useState, type ReactNode } from "react";
import { Link } from "react-router";
import { useAnswer } from "../../api/hooks.ts";
import { many, Time } from "../../parts/texts.tsx";
import type { ResourceShown } from "../resources/resources.tsx";
import { sparkOf, valueInWords, type SeriesReading } from "./spark.ts";

const [WIDTH, HEIGHT] = [240, 48];
const DAY_MS = 86_400_000;

type Series = ResourceShown["series"][number];
type Threshold = ResourceShown["thresholds"][number];

interface SeriesProps {
  resourceId: string;
  series: Series;
  thresholds: readonly Threshold[];
  latest: (SeriesReading & { key: string }) | undefined;
}

/** One series of readings: its last value, and how it went. */
export function SeriesLine({
  resourceId,
  series: { key, type, unit, ...range },
  thresholds,
  latest,
}: SeriesProps): ReactNode {
  return (
    <li className="series">
      <div>
        <h3>
          <Link to={`/picture/resources/${resourceId}/readings/${encodeURIComponent(key)}`}>{key}</Link>
        </h3>
        <strong className="value">{valueInWords(latest?.value, unit)}</strong>
        <small className="muted">
          {latest ? <Time at={latest.at} /> : "Nothing was measured yet."}
          {range.minimum !== undefined &&
            range.maximum !== undefined &&
            `, from ${range.minimum} to ${range.maximum} possible`}
        </small>
      </div>
      {type === "number" && latest && (
        <Sparkline {...{ resourceId, unit }} name={key} bounds={thresholds.flatMap(({ raise }) => raise ?? [])} />
      )}
    </li>
  );
}

function Sparkline({
  resourceId,
  name,
  unit,
  bounds,
}: {
  resourceId: string;
  name: string;
  unit: string | undefined;
  bounds: readonly number[];
}): ReactNode {
  const [from] = useState(() => new Date(Date.now() - DAY_MS).toISOString());
  const drawn = useAnswer("GET /resources/{id}/telemetry/{key}/points", [
    { path: { id: resourceId, key: name }, query: { from, points: 120 } },
  ]);
  const data = drawn.data?.data;
  const spark = data && sparkOf(data.segments, WIDTH, HEIGHT);
  if (!spark) return null;
  const say = (value: number): string => valueInWords(value, unit);
  const gaps = data.segments.length - 1;
  const words =
    `${many(data.count, "reading")} in the last day: from ${say(spark.first)} to ${say(spark.last)}, ` +
    `lowest ${say(spark.lowest)}, highest ${say(spark.highest)}${gaps > 0 ? `, ${many(gaps, "gap")}` : ""}`;
  return (
    <figure className="spark">
      <svg viewBox={`-2 -2 ${WIDTH + 4} ${HEIGHT + 4}`} width={WIDTH} height={HEIGHT} aria-hidden="true">
        {bounds.map((bound) => {
          const at = spark.heightOf(bound);
          return at === undefined ? null : <line key={bound} className="bound" x1={0} x2={WIDTH} y1={at} y2={at} />;
        })}
        <path d={spark.path} />
      </svg>
      <figcaption className="muted">{words}</figcaption>
    </figure>
  );
}
