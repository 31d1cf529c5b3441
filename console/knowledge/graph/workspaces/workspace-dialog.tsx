import { useState, type ReactNode } from "react";
import { useNavigate } from "react-router";
import { Refusal } from "../../../api/client.ts";
import { useAct, useAnswer } from "../../../api/hooks.ts";
import { chosenReaders, ReadersOf } from "../../../app/compartments.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { Check, Field, Form, TextField, type FormFields } from "../../../parts/form.tsx";
import { KINDS } from "../../vocabulary.ts";
import { EntityName } from "./entity-name.tsx";
import { workspaceAddress, type GraphWorkspace, type WorkspacePart } from "./workspace-words.ts";

interface WorkspaceDialogProps {
  setId: string;
  /** The one that is changed; a new one without it. */
  workspace?: GraphWorkspace;
  /** What a new one begins with. */
  begins?: Partial<WorkspacePart>;
  onClose(): void;
}

/** Keeps a part of a graph under a name, or changes one that is kept. */
export function WorkspaceDialog({ setId, workspace, begins, onClose }: WorkspaceDialogProps): ReactNode {
  const go = useNavigate();
  // As it was when it was opened: what another wrote meanwhile is told when it is kept, and not written over.
  const [opened] = useState(workspace);
  const add = useAct("POST /graph/workspaces", {
    tellsRefusal: false,
    then({ data }) {
      onClose();
      void go(workspaceAddress(data.id));
    },
  });
  const change = useAct("PUT /graph/workspaces/{id}", { tellsRefusal: false, says: "It is changed.", then: onClose });
  const part = { documentIds: [], storyIds: [], entityIds: [], types: [], ...begins, ...opened };
  return (
    <Dialog title={opened ? "Change the workspace" : "Keep a workspace"} onClose={onClose}>
      <p className="muted">
        A workspace is a part of the graph under a name: what grows in it later comes in by itself. Everybody in the
        problem set sees it, and of what it takes in each what they may.
      </p>
      <Form
        act="Keep"
        onSubmit={({ name = "", description, ...fields }) => {
          const body = { name, documentIds: ticked(fields, "document"), ...chosenIn(fields, part) };
          return opened
            ? unlessStale(
                change.mutateAsync({
                  path: { id: opened.id },
                  body: { ...body, description: description ?? null },
                  options: { headers: { "if-match": `"r${opened.rev}"` } },
                }),
              )
            : add.mutateAsync({
                body: { ...body, problemSetId: setId, ...(description && { description }), ...chosenReaders(fields) },
              });
        }}
      >
        <Field label="Name" name="name" defaultValue={opened?.name} required maxLength={200} />
        <TextField label="What it is for" name="description" rows={2} defaultValue={opened?.description} />
        <Documents setId={setId} ticked={part.documentIds} />
        {part.entityIds.length > 0 && (
          <fieldset>
            <legend>Entities, with their neighbours</legend>
            {part.entityIds.map((id) => (
              <Ticked key={id} name={`entity:${id}`} isTicked label={<EntityName id={id} />} />
            ))}
          </fieldset>
        )}
        <fieldset>
          <legend>Of that only these kinds</legend>
          <small className="muted">With none ticked, all.</small>
          <div className="ticks">
            {KINDS.map(([kind, words]) => (
              <Check key={kind} label={words} name={`kind:${kind}`} defaultChecked={part.types.includes(kind)} />
            ))}
          </div>
        </fieldset>
        {!opened && <ReadersOf problemSetId={setId} />}
      </Form>
    </Dialog>
  );
}

function Ticked({ name, label, isTicked }: { name: string; label: ReactNode; isTicked: boolean }): ReactNode {
  return (
    <div className="check">
      <input id={name} name={name} type="checkbox" defaultChecked={isTicked} />
      <label htmlFor={name}>{label}</label>
    </div>
  );
}

function Documents({ setId, ticked: chosen }: { setId: string; ticked: readonly string[] }): ReactNode {
  const { data } = useAnswer("GET /documents", [{ query: { problemSetId: setId, sort: "-createdAt", limit: 100 } }]);
  const known = new Set(data?.data.map(({ id }) => id));
  return (
    <fieldset>
      <legend>What these documents name</legend>
      <small className="muted">
        {data && !data.data.length
          ? "No document is in the problem set yet."
          : "With none ticked, and no entity, it is the whole graph of the problem set."}
      </small>
      <div className="report-choices">
        {data?.data.map(({ id, title }) => (
          <Ticked key={id} name={`document:${id}`} label={title} isTicked={chosen.includes(id)} />
        ))}
        {chosen
          .filter((id) => data && !known.has(id))
          .map((id) => (
            <Ticked key={id} name={`document:${id}`} label="an older document, or one that you do not see" isTicked />
          ))}
      </div>
    </fieldset>
  );
}

const ticked = (fields: FormFields, kind: string): string[] =>
  Object.keys(fields).flatMap((name) => (name.startsWith(`${kind}:`) ? [name.slice(kind.length + 1)] : []));

const chosenIn = (fields: FormFields, { storyIds }: WorkspacePart) => ({
  storyIds,
  entityIds: ticked(fields, "entity"),
  types: ticked(fields, "kind") as WorkspacePart["types"],
});

const unlessStale = <T,>(kept: Promise<T>): Promise<T> =>
  kept.catch((error: unknown) => {
    if (!(error instanceof Refusal) || error.code !== "STALE") throw error;
    throw new Error(
      "Somebody changed the workspace since you opened it. Close this, and change what stands there now.",
    );
  });
