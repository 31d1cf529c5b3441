import { useState, type ReactNode } from "react";
import { useAct, useAnswer } from "../../../api/hooks.ts";
import { useMayIn } from "../../../app/sets.ts";
import { Dialog } from "../../../parts/dialog.tsx";
import { Field, Form, Select } from "../../../parts/form.tsx";
import { Loading } from "../../../parts/page.tsx";
import type { EntityWhole } from "../../vocabulary.ts";

/** Puts an entity, with its neighbours, into a workspace. */
export function PutInto({ entity }: { entity: EntityWhole }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  if (!useMayIn(entity.problemSetId)("graph:edit")) return null;
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Put into a workspace
      </button>
      {isOpen && <PutDialog entity={entity} onClose={() => setOpen(false)} />}
    </>
  );
}

function PutDialog({
  entity: { id, name, problemSetId },
  onClose,
}: {
  entity: EntityWhole;
  onClose(): void;
}): ReactNode {
  const all = useAnswer("GET /graph/workspaces", [{ query: { problemSetId, sort: "name", limit: 100 } }]);
  const options = { tellsRefusal: false, says: `${name} is in it, with all neighbours.`, then: onClose };
  const add = useAct("POST /graph/workspaces", options);
  const change = useAct("PUT /graph/workspaces/{id}", options);
  // One that takes in the whole graph would take in less with an entity of its own.
  const open = all.data?.data.filter(
    ({ documentIds, storyIds, entityIds }) => documentIds.length + storyIds.length + entityIds.length > 0,
  );
  return (
    <Dialog title="Put into a workspace" onClose={onClose}>
      {open ? (
        <Form
          act="Put it in"
          onSubmit={({ workspace, name: called = "" }) => {
            const chosen = open.find((one) => one.id === workspace);
            if (!chosen) return add.mutateAsync({ body: { problemSetId, name: called, entityIds: [id] } });
            const entityIds = [...new Set([...chosen.entityIds, id])];
            const headers = { "if-match": `"r${chosen.rev}"` };
            return change.mutateAsync({ path: { id: chosen.id }, body: { entityIds }, options: { headers } });
          }}
        >
          <Select
            label="Workspace"
            name="workspace"
            options={[["", "a new one"], ...open.map((one) => [one.id, one.name] as const)]}
          />
          <Field label="Name of a new one" name="name" maxLength={200} />
        </Form>
      ) : (
        <Loading />
      )}
    </Dialog>
  );
}
