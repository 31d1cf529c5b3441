import type { ReactNode } from "react";
import { useNavigate } from "react-router";
import { useAct } from "../../api/hooks.ts";
import { chosenReaders, ReadersOf } from "../../app/compartments.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, Form } from "../../parts/form.tsx";
import { useAsOpened } from "../../api/as-opened.ts";
import { useStaffPlace } from "../shared/place.ts";
import type { Team } from "./teams.tsx";

interface TeamDialogProps {
  /** Where a new one works; everywhere without it. */
  setId: string | undefined;
  /** The one to change. */
  team?: Team;
  onClose(): void;
}

/** Makes a team of agents, or says anew what it is called and for. */
export function TeamDialog({ setId, team, onClose }: TeamDialogProps): ReactNode {
  const navigate = useNavigate();
  const { nameOf } = useStaffPlace();
  const { options, inTime } = useAsOpened(team?.rev);
  const make = useAct("POST /admin/teams", {
    tellsRefusal: false,
    says: ({ data }) => `${data.name} is there. Put agents into it now.`,
    then: ({ data }) => void navigate(`/staff/teams/${data.id}`),
  });
  const change = useAct("PUT /admin/teams/{teamId}", { tellsRefusal: false, says: "It is changed.", then: onClose });
  return (
    <Dialog title={team ? `Change ${team.name}` : "Make a team"} onClose={onClose}>
      <Form
        act={team ? "Save" : "Make it"}
        onSubmit={({ name = "", description, ...fields }) =>
          team
            ? inTime(
                change.mutateAsync({
                  path: { teamId: team.id },
                  body: { name, description: description ?? null },
                  options,
                }),
              )
            : make.mutateAsync({
                body: {
                  name,
                  ...(description && { description }),
                  ...(setId !== undefined && { problemSetId: setId }),
                  ...chosenReaders(fields),
                },
              })
        }
      >
        {!team && <p>It works in {nameOf(setId)}; that cannot be changed later.</p>}
        <Field label="Name" name="name" defaultValue={team?.name} required maxLength={120} />
        <Field
          label="What it is for (optional)"
          name="description"
          defaultValue={team?.description}
          maxLength={2_000}
        />
        {!team && <ReadersOf problemSetId={setId} />}
      </Form>
    </Dialog>
  );
}
