import { useState, type ReactNode } from "react";
import type { Data, ListRow } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { useMay } from "../../app/session.tsx";
import { useMayIn } from "../../app/sets.ts";
import { ConfirmButton, Dialog } from "../../parts/dialog.tsx";
import { Field, Form, Select } from "../../parts/form.tsx";
import { Section, Shown } from "../../parts/page.tsx";
import { Table, type Column } from "../../parts/table.tsx";
import { many } from "../../parts/texts.tsx";

type Threshold = ListRow<"GET /validation/thresholds">;
type Metric = Threshold["metric"];
type AgentRows = Data<"GET /validation/dashboard">["rows"];

const METRICS: readonly (readonly [Metric, string])[] = [
  ["pass-rate", "cases passed"],
  ["score", "mean score of the cases"],
];
const metricWords = (metric: Metric): string => METRICS.find(([one]) => one === metric)![1];

interface ThresholdsProps {
  setId: string | undefined;
  agents: AgentRows;
}

/** Below what an agent is stopped. */
export function Thresholds({ setId, agents }: ThresholdsProps): ReactNode {
  const [isSetting, setSetting] = useState(false);
  const [mayIn, mayAll] = [useMayIn(setId)("validation:manage"), useMay("agents:administer")];
  const query = { limit: 100, ...(setId !== undefined && { problemSetId: setId }) };
  const thresholds = useAnswer("GET /validation/thresholds", [{ query }]);
  const mayManage = setId === undefined ? mayAll : mayIn;
  return (
    <Section
      title="Thresholds"
      acts={
        mayManage &&
        agents.length > 0 && (
          <button type="button" onClick={() => setSetting(true)}>
            Set a threshold
          </button>
        )
      }
    >
      <p className="muted">
        An agent that a validation finds below its threshold is stopped, and does nothing until somebody brings it back.
      </p>
      <Shown of={thresholds}>
        {({ data }) => (
          <Table
            label="Thresholds"
            rows={data}
            keyOf={({ id }) => id}
            columns={mayManage ? [...columnsFor(agents), REMOVE] : columnsFor(agents)}
            empty="No threshold is set here: no validation stops an agent."
          />
        )}
      </Shown>
      {isSetting && (
        <ThresholdDialog agents={agents} mayAll={mayAll && setId === undefined} onClose={() => setSetting(false)} />
      )}
    </Section>
  );
}

function columnsFor(agents: AgentRows): readonly Column<Threshold>[] {
  const names = new Map(agents.map(({ agentId, name }) => [agentId, name]));
  return [
    {
      head: "Applies to",
      cell: ({ agentId }) =>
        agentId === undefined ? "every agent without its own" : (names.get(agentId) ?? "an agent elsewhere"),
    },
    { head: "Must reach", cell: ({ metric, min }) => `${Math.round(min * 100)} %: ${metricWords(metric)}` },
    {
      head: "Is stopped after",
      cell: ({ minCases, consecutive }) =>
        `${many(consecutive, "validation")}${consecutive > 1 ? " in a row" : ""} of at least ${many(minCases, "case")}`,
    },
  ];
}

const REMOVE: Column<Threshold> = { head: "Acts", isAct: true, cell: (threshold) => <Remove {...threshold} /> };

function Remove({ id, metric }: Threshold): ReactNode {
  const remove = useAct("DELETE /validation/thresholds/{id}", { says: "It no longer applies." });
  return (
    <ConfirmButton
      words="Remove"
      label={`Remove the threshold: ${metricWords(metric)}`}
      title="Remove the threshold?"
      run={() => remove.mutateAsync({ path: { id } })}
    >
      <p>It no longer applies. An agent that it stopped stays stopped until somebody brings it back.</p>
    </ConfirmButton>
  );
}

interface ThresholdDialogProps {
  agents: AgentRows;
  mayAll: boolean;
  onClose(): void;
}

function ThresholdDialog({ agents, mayAll, onClose }: ThresholdDialogProps): ReactNode {
  const put = useAct("PUT /validation/thresholds", {
    tellsRefusal: false,
    says: "It applies from the next validation on.",
    then: onClose,
  });
  return (
    <Dialog title="Set a threshold" onClose={onClose}>
      <Form
        act="Set it"
        onSubmit={({ agentId, metric, min, minCases, consecutive }) =>
          put.mutateAsync({
            body: {
              ...(agentId && { agentId }),
              metric: metric as Metric,
              min: Number(min) / 100,
              minCases: Number(minCases),
              consecutive: Number(consecutive),
            },
          })
        }
      >
        <Select
          label="Applies to"
          name="agentId"
          options={[
            ...(mayAll ? [["", "every agent without its own"] as const] : []),
            ...agents.map(({ agentId, name }) => [agentId, name] as const),
          ]}
        />
        <Select label="Figure" name="metric" options={METRICS} />
        <Field label="Must reach, in per cent" name="min" type="number" min={0} max={100} defaultValue={80} required />
        <Field
          label="Validations of fewer cases stop nothing"
          name="minCases"
          type="number"
          min={1}
          max={1_000}
          defaultValue={5}
          required
        />
        <Field
          label="Stopped after so many in a row"
          name="consecutive"
          type="number"
          min={1}
          max={10}
          defaultValue={1}
          hint="One that is set already for the same agent and figure is changed."
          required
        />
      </Form>
    </Dialog>
  );
}
