import { useState, type ReactNode } from "react";
import { useAct } from "../../../api/hooks.ts";
import { chosenReaders, ReadersOf } from "../../../app/compartments.tsx";
import { DOMAINS, type NewsDomain } from "../../../news/domains.ts";
import { Dialog } from "../../../parts/dialog.tsx";
import { Check, Field, Form, Select, type FormFields } from "../../../parts/form.tsx";
import { KINDS, WINDOWS, type WatchKind } from "./monitor-words.ts";

/** Starts a watch over the news from now on. */
export function MonitorDialog({ setId, onClose }: { setId: string; onClose(): void }): ReactNode {
  const [kind, setKind] = useState<WatchKind>("keyword");
  const start = useAct("POST /strategic-agents/threats/monitor", {
    tellsRefusal: false,
    says: ({ data: { name } }) => `${name} watches the news from now on.`,
    then: onClose,
  });
  return (
    <Dialog title="Start a monitor" onClose={onClose}>
      <Form
        act="Start"
        onSubmit={(fields) =>
          start.mutateAsync({
            body: {
              problemSetId: setId,
              name: fields["name"] ?? "",
              q: fields["q"] ?? "",
              kind,
              windowMinutes: Number(fields["windowMinutes"]),
              ...(kind === "rule" && { rule: ruleIn(fields) }),
              ...(kind === "rate" && { rate: rateIn(fields) }),
              ...(fields["endsAt"] && { endsAt: new Date(`${fields["endsAt"]}T23:59:59`).toISOString() }),
              ...chosenReaders(fields),
            },
          })
        }
      >
        <Field label="Name" name="name" maxLength={200} hint="Such as: Dams on the upper river." required />
        <Field
          label="What it looks for"
          name="q"
          spellCheck={false}
          hint="As in the search of the news: dam (breach | crack), “water level”, -film."
          required
        />
        <Select
          label="It tells of"
          name="kind"
          value={kind}
          options={KINDS}
          onChange={({ currentTarget }) => setKind(currentTarget.value as WatchKind)}
        />
        {kind === "rule" && <Rule />}
        {kind === "rate" && <Rate />}
        <Select
          label={kind === "rate" ? "Counted in" : "At most one alert for each story in"}
          name="windowMinutes"
          defaultValue="1440"
          options={WINDOWS}
        />
        <Field label="Until" name="endsAt" type="date" hint="Left empty: for 30 days. A year at most." />
        <ReadersOf problemSetId={setId} hint="Of the monitor and its alerts. It cannot be changed later." />
      </Form>
    </Dialog>
  );
}

const Rule = (): ReactNode => (
  <fieldset>
    <legend>All of these must hold</legend>
    <Field label="Independent reports, at least" name="rule.minReports" type="number" min={1} max={50} />
    <Field label="Confidence, at least" name="rule.minConfidence" type="number" min={0} max={100} hint="0 to 100." />
    <Select label="Field" name="rule.domains" options={[["", "any"], ...DOMAINS]} />
    <Check label="The article was checked" name="rule.verified" />
  </fieldset>
);

function ruleIn(fields: FormFields) {
  const [reports, confidence] = [fields["rule.minReports"], fields["rule.minConfidence"]];
  return {
    ...(reports && { minReports: Number(reports) }),
    ...(confidence && { minConfidence: Number(confidence) / 100 }),
    ...(fields["rule.domains"] && { domains: [fields["rule.domains"] as NewsDomain] }),
    ...(fields["rule.verified"] && { verified: true as const }),
  };
}

const Rate = (): ReactNode => (
  <fieldset>
    <legend>What is unusual</legend>
    <Field
      label="An alert opens at so many standard deviations above the usual"
      name="rate.factor"
      type="number"
      step="0.5"
      defaultValue={3}
    />
    <Field label="And closes below" name="rate.clear" type="number" step="0.5" defaultValue={1} />
    <Field
      label="Articles, at least"
      name="rate.least"
      type="number"
      defaultValue={5}
      hint="Fewer in a window are never unusual. It learns from three windows first."
    />
  </fieldset>
);

const rateIn = (fields: FormFields) => ({
  ...(fields["rate.factor"] && { factor: Number(fields["rate.factor"]) }),
  ...(fields["rate.clear"] && { clear: Number(fields["rate.clear"]) }),
  ...(fields["rate.least"] && { least: Number(fields["rate.least"]) }),
});
