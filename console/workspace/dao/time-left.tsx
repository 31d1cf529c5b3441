import { useEffect, useState, type ReactNode } from "react";
import { Time } from "../../parts/texts.tsx";

const TICK_MS = 15_000;
const SOON_MS = 24 * 3_600_000;

/** The time now, looked at again every quarter of a minute. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** Until when something goes on. */
export function TimeLeft({ until, verb = "closes" }: { until: string; verb?: string }): ReactNode {
  const left = Date.parse(until) - useNow();
  return (
    <span className={left > 0 && left < SOON_MS ? "soon" : "muted"}>
      {verb} <Time at={until} />
    </span>
  );
}
