import { useEffect, useRef, useState, type ReactNode } from "react";
import { useSearchParams } from "react-router";
import { Select } from "../../parts/form.tsx";

const HOUR_MS = 3_600_000;
const SPANS = [
  ["1", "the last hour"],
  ["24", "the last day"],
  ["336", "the last 14 days"],
] as const;
const STEPS = 120;
/** After so much rest of the hand the picture of that moment is read. */
const REST_MS = 350;

const absolute = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });
/** As a field for date and time takes it: local, to the minute. */
const asLocal = (time: number): string =>
  new Date(time - new Date(time).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

/** Looks back at the picture as it was; the address keeps the moment. */
export function TimeBar(): ReactNode {
  const [search, setSearch] = useSearchParams();
  const at = search.get("at");
  const [isOpen, setOpen] = useState(at !== null);
  function show(moment: number | undefined): void {
    const next = new URLSearchParams(search);
    if (moment === undefined) next.delete("at");
    else next.set("at", new Date(moment).toISOString());
    setSearch(next, { replace: true });
  }
  if (!isOpen && at === null)
    return (
      <button type="button" onClick={() => setOpen(true)}>
        Look back
      </button>
    );
  return (
    <section className="card time-bar" aria-label="Look back">
      <Slider at={at === null ? undefined : Date.parse(at)} onChange={show} />
      <div className="row">
        <span role="status">
          {at === null ? (
            "The picture as it is now."
          ) : (
            <>
              <strong className="badge warn">the past</strong> As it was on {absolute.format(new Date(at))}.
            </>
          )}
        </span>
        <button
          type="button"
          onClick={() => {
            show(undefined);
            setOpen(false);
          }}
        >
          {at === null ? "Close" : "Back to now"}
        </button>
      </div>
    </section>
  );
}

function Slider({ at, onChange }: { at: number | undefined; onChange(moment: number | undefined): void }): ReactNode {
  const [hours, setHours] = useState("24");
  const [end] = useState(Date.now);
  /** Where the hand holds the slider; after a rest the address says so. */
  const [held, setHeld] = useState<number>();
  const span = Number(hours) * HOUR_MS;
  const momentOf = (step: number): number | undefined => (step === STEPS ? undefined : end - span * (1 - step / STEPS));
  const step = held ?? (at === undefined ? STEPS : Math.max(0, Math.round(STEPS * (1 - (end - at) / span))));
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(rest.current), []);
  function hold(next: number): void {
    setHeld(next);
    clearTimeout(rest.current);
    rest.current = setTimeout(() => {
      setHeld(undefined);
      onChange(momentOf(next));
    }, REST_MS);
  }
  const moment = momentOf(step);
  return (
    <div className="time-inputs">
      <Select
        label="Within"
        name="span"
        value={hours}
        options={SPANS}
        onChange={({ target }) => setHours(target.value)}
      />
      <div className="field">
        <label htmlFor="time-slider">Moment</label>
        <input
          id="time-slider"
          type="range"
          min={0}
          max={STEPS}
          value={step}
          aria-valuetext={moment === undefined ? "now" : absolute.format(moment)}
          onChange={({ target }) => hold(Number(target.value))}
        />
      </div>
      <div className="field">
        <label htmlFor="time-typed">Date and time</label>
        <input
          id="time-typed"
          type="datetime-local"
          value={asLocal(at ?? end)}
          max={asLocal(end)}
          onChange={({ target }) => {
            const typed = new Date(target.value).getTime();
            if (!Number.isNaN(typed) && typed <= Date.now()) onChange(typed);
          }}
        />
      </div>
    </div>
  );
}
