import { useState, type ReactNode } from "react";
import { useNavigate } from "react-router";
import { useAct } from "../../api/hooks.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Form, Select } from "../../parts/form.tsx";
import { many } from "../../parts/texts.tsx";
import { useIsReadIn, type SetCompartment } from "../../app/compartments.tsx";
import { useCompartments } from "../set/known.ts";

type End = "close" | "move";

interface DissolveProps {
  compartment: SetCompartment;
  isReadIn: boolean;
  onClose(): void;
}

/** The two ways in which a compartment ends: what lies in it is closed, or goes over to those of another one. */
export function DissolveDialog({ compartment, isReadIn, onClose }: DissolveProps): ReactNode {
  const { id, problemSetId, name } = compartment;
  const navigate = useNavigate();
  const [end, setEnd] = useState<End>("close");
  const targets = useTargets(compartment);
  const dissolve = useAct("DELETE /problem-sets/{id}/compartments/{cid}", {
    tellsRefusal: false,
    says: ({ data: { status, records } }) =>
      status === "active"
        ? `Your wish to dissolve ${name} stands. A second person must ask for the same.`
        : `${name} is dissolved${records ? `; it held ${many(sum(records), "record")}` : ""}. It can be restored for thirty days.`,
    then({ data }) {
      onClose();
      if (data.status === "dissolved") void navigate(`/workspace/${problemSetId}/compartments`);
    },
  });
  return (
    <Dialog title={`Dissolve ${name}?`} onClose={onClose}>
      <Form
        act={isReadIn ? "Dissolve" : "Ask for it"}
        onSubmit={({ to }) =>
          dissolve.mutateAsync({
            path: { id: problemSetId, cid: id },
            query: end === "move" && to ? { records: "move", to } : { records: "close" },
          })
        }
      >
        {isReadIn && targets.length > 0 && (
          <Select
            label="What lies in it"
            name="records"
            value={end}
            onChange={({ currentTarget }) => setEnd(currentTarget.value as End)}
            options={[
              ["close", "is closed: nobody sees it any longer"],
              ["move", "goes over: those of another compartment see it"],
            ]}
          />
        )}
        {end === "move" ? (
          <Select label="To" name="to" options={targets.map((one) => [one.id, one.name] as const)} />
        ) : (
          <p>Nobody sees any longer what lies in it. Nothing is deleted.</p>
        )}
        {!isReadIn && (
          <p>
            You are not read in: it takes a second person who manages compartments, and neither of you is told what lies
            there.
          </p>
        )}
        <p className="muted">It can be restored, as it was, for thirty days.</p>
      </Form>
    </Dialog>
  );
}

const sum = (records: readonly { count: number }[]): number => records.reduce((all, { count }) => all + count, 0);

/** Records go over only where their mover is read into both. */
function useTargets(compartment: SetCompartment): SetCompartment[] {
  const compartments = useCompartments("active");
  const isReadIn = useIsReadIn();
  return compartments.data?.data.filter((one) => one.id !== compartment.id && isReadIn(one)) ?? [];
}
