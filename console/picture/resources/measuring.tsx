import { useState, type ReactNode } from "react";
import { Refusal } from "../../api/client.ts";
import { useAct } from "../../api/hooks.ts";
import { Confirm, Dialog } from "../../parts/dialog.tsx";
import { Field, Form, Select } from "../../parts/form.tsx";
import { Section } from "../../parts/page.tsx";
import { Badge } from "../../parts/texts.tsx";
import { thresholdInWords, unitInWords } from "../readings/spark.ts";
import type { ResourceShown } from "./resources.tsx";

type Series = ResourceShown["series"][number];
type Threshold = ResourceShown["thresholds"][number];
const TONES = { critical: "bad", warning: "warn", info: "info" } as const;
const numberIn = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));

function useChange({ id, rev }: ResourceShown, says: string, then: () => void) {
  const change = useAct("PATCH /resources/{id}", { tellsRefusal: false, says, then });
  return (body: { series?: Series[]; thresholds?: Threshold[] }): Promise<unknown> =>
    change.mutateAsync({ path: { id }, body, options: { headers: { "if-match": `"r${rev}"` } } });
}

/** Declares what a resource measures. */
export function SeriesDialog({ resource, onClose }: { resource: ResourceShown; onClose(): void }): ReactNode {
  const change = useChange(resource, "It measures that now.", onClose);
  return (
    <Dialog title="Add a series" onClose={onClose}>
      <Form
        act="Add"
        onSubmit={({ key = "", type, unit, minimum, maximum }) =>
          change({
            series: [
              ...resource.series,
              {
                key,
                type: type as Series["type"],
                ...(unit && { unit }),
                ...(minimum !== undefined && { minimum: Number(minimum) }),
                ...(maximum !== undefined && { maximum: Number(maximum) }),
              },
            ],
          })
        }
      >
        <Field label="What it measures" name="key" hint="A short name, as fuel." required />
        <Select
          label="As"
          name="type"
          options={[
            ["number", "a number"],
            ["boolean", "yes or no"],
            ["text", "text"],
          ]}
        />
        <Field label="Unit" name="unit" hint="As %, km/h, or Cel for degrees Celsius (UCUM)." />
        <div className="two">
          <Field label="Lowest possible" name="minimum" type="number" step="any" />
          <Field label="Highest possible" name="maximum" type="number" step="any" />
        </div>
      </Form>
    </Dialog>
  );
}

/** Sends one reading by hand. */
export function ReadingForm({ resourceId, series }: { resourceId: string; series: readonly Series[] }): ReactNode {
  const report = useAct("POST /resources/telemetry", { tellsRefusal: false });
  const [said, setSaid] = useState("");
  const [key, setKey] = useState(series[0]!.key);
  const one = series.find((each) => each.key === key) ?? series[0]!;
  async function send({ value = "" }: Record<string, string>): Promise<void> {
    setSaid("");
    const { data } = await report.mutateAsync({ body: { resourceId, key: one.key, value: valueIn(value, one) } });
    const [failed] = data.failed;
    if (failed) throw new Error(`It was not taken: ${failed.message ?? failed.code}`);
    setSaid("Taken.");
  }
  return (
    <Form act="Report" label="Report a reading by hand" isInline clears onSubmit={send}>
      <Select
        label="Series"
        name="key"
        options={series.map((each) => each.key)}
        value={one.key}
        onChange={({ target }) => setKey(target.value)}
      />
      {one.type === "boolean" ? (
        <Select label="Reading" name="value" options={["yes", "no"]} />
      ) : (
        <Field label={one.unit ? `Reading, in ${unitInWords(one.unit)}` : "Reading"} name="value" required />
      )}
      <span role="status" className="muted">
        {said}
      </span>
    </Form>
  );
}

/** What was typed, as its series takes it. A comma is not guessed at: 1,240 is two figures in two countries. */
function valueIn(text: string, { key, type }: Series): number | boolean | string {
  if (type === "boolean") return text === "yes";
  if (type === "text") return text;
  if (Number.isFinite(Number(text))) return Number(text);
  const message = `${key} is a number: write it like 240.5.`;
  throw new Refusal(400, { message, details: [{ path: "value", message }] });
}

/** When readings raise an alarm. */
export function Thresholds({ resource, mayEdit }: { resource: ResourceShown; mayEdit: boolean }): ReactNode {
  const [isAdding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<Threshold>();
  const change = useChange(resource, "The threshold was taken away.", () => setRemoving(undefined));
  const unitOf = (key: string): string | undefined => resource.series.find((one) => one.key === key)?.unit;
  return (
    <Section
      title="Thresholds"
      acts={
        mayEdit &&
        resource.series.length > 0 && (
          <button type="button" onClick={() => setAdding(true)}>
            Add a threshold
          </button>
        )
      }
    >
      {resource.thresholds.length ? (
        <ul className="list">
          {resource.thresholds.map((one) => (
            <li key={one.id} className="row between">
              <span>
                <Badge tone={TONES[one.severity]}>{one.severity}</Badge> {one.key}{" "}
                {thresholdInWords(one, unitOf(one.key))}
              </span>
              {mayEdit && (
                <button type="button" aria-label={`Take away the threshold ${one.id}`} onClick={() => setRemoving(one)}>
                  Take away
                </button>
              )}
            </li>
          ))}
        </ul>
      ) : (
        <p className="empty">None: no reading raises an alarm.</p>
      )}
      {isAdding && <ThresholdDialog resource={resource} onClose={() => setAdding(false)} />}
      {removing && (
        <Confirm
          title="Take away the threshold?"
          act="Take away"
          onConfirm={() =>
            void change({ thresholds: resource.thresholds.filter(({ id }) => id !== removing.id) }).catch(() =>
              setRemoving(undefined),
            )
          }
          onClose={() => setRemoving(undefined)}
        >
          <p>
            {removing.key} {thresholdInWords(removing, unitOf(removing.key))}. An alarm that it raised ends.
          </p>
        </Confirm>
      )}
    </Section>
  );
}

function ThresholdDialog({ resource, onClose }: { resource: ResourceShown; onClose(): void }): ReactNode {
  const change = useChange(resource, "It raises an alarm from now on.", onClose);
  const numbers = resource.series.map(({ key }) => key);
  function add(fields: Record<string, string>): Promise<unknown> {
    const { key = "", when, severity } = fields;
    const raise = numberIn(fields.raise);
    const silence = numberIn(fields.silence);
    if (raise === undefined && silence === undefined)
      throw new Error("Say a bound, or after how many minutes without a reading.");
    const clear = numberIn(fields.clear);
    const lasting = numberIn(fields.lasting);
    const threshold: Threshold = {
      id: `${key}-${crypto.randomUUID().slice(0, 8)}`,
      key,
      severity: severity as Threshold["severity"],
      ...(raise !== undefined && { when: when as "above" | "below", raise }),
      ...(clear !== undefined && { clear }),
      ...(lasting && { forSeconds: lasting * 60 }),
      ...(silence && { noDataForSeconds: silence * 60 }),
    };
    return change({ thresholds: [...resource.thresholds, threshold] });
  }
  return (
    <Dialog title="Add a threshold" onClose={onClose}>
      <Form act="Add" onSubmit={add}>
        <Select label="Series" name="key" options={numbers} />
        <Select
          label="How bad it is"
          name="severity"
          options={["critical", "warning", "info"]}
          defaultValue="warning"
        />
        <div className="two">
          <Select label="Alarm when it is" name="when" options={["below", "above"]} />
          <Field label="Bound" name="raise" type="number" step="any" />
          <Field label="Over again at" name="clear" type="number" step="any" hint="The bound itself, when empty." />
          <Field label="Lasting minutes" name="lasting" type="number" min={0} />
        </div>
        <Field label="Or without a reading for minutes" name="silence" type="number" min={1} />
      </Form>
    </Dialog>
  );
}
