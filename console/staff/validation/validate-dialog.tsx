import type { ReactNode } from "react";
import { useNavigate } from "react-router";
import type { Data, ListRow } from "../../api/client.ts";
import { useAct } from "../../api/hooks.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Form, Select } from "../../parts/form.tsx";

interface ValidateDialogProps {
  setId: string | undefined;
  agents: Data<"GET /validation/dashboard">["rows"];
  suites: readonly Pick<ListRow<"GET /validation/suites">, "id" | "name">[];
  /** The suite that it is about; chosen without one. */
  only?: { id: string; name: string };
  onClose(): void;
}

export function ValidateDialog({ setId, agents, suites, only, onClose }: ValidateDialogProps): ReactNode {
  const navigate = useNavigate();
  const validate = useAct("POST /validation/runs", {
    tellsRefusal: false,
    then: ({ data }) => void navigate(`/staff/validation/${data.runId}`),
  });
  return (
    <Dialog title={only ? `Try an agent with ${only.name}` : "Validate an agent"} onClose={onClose}>
      <p>It is asked the cases of a suite and its answers are judged. Nothing is changed by it.</p>
      <Form
        act="Begin"
        onSubmit={({ agentId = "", suiteId = only?.id ?? "baseline", repeats }) =>
          validate.mutateAsync({
            body: { agentId, suiteId, repeats: Number(repeats), ...(setId !== undefined && { problemSetId: setId }) },
          })
        }
      >
        <Select label="Agent" name="agentId" options={agents.map(({ agentId, name }) => [agentId, name] as const)} />
        {!only && (
          <Select
            label="Suite"
            name="suiteId"
            options={[
              ["baseline", "The baseline: what every agent must pass"],
              ...suites.map(({ id, name }) => [id, name] as const),
            ]}
          />
        )}
        <Select
          label="Each case"
          name="repeats"
          options={[
            ["1", "once"],
            ["3", "three times: all must pass"],
            ["5", "five times: all must pass"],
          ]}
        />
      </Form>
    </Dialog>
  );
}
