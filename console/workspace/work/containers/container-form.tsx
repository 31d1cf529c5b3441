import type { ReactNode } from "react";
import { useAsOpened } from "../../../api/as-opened.ts";
import { useAct } from "../../../api/hooks.ts";
import { chosenReaders } from "../../../app/compartments.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { Field, Form, Select, TextField } from "../../../parts/form.tsx";
import { useSet } from "../../set/use-set.tsx";
import { ReadersChoice } from "../compartments.tsx";
import type { ContainerCategory, DocumentContainer } from "./use-containers.ts";

interface ContainerDialogProps {
  /** The one to change; absent for a new one. */
  of?: DocumentContainer;
  categories: readonly ContainerCategory[];
  onClose(): void;
}

/** What a container is called, what belongs in it, and under which heading it stands. */
export function ContainerDialog({ of: container, categories, onClose }: ContainerDialogProps): ReactNode {
  const { set } = useSet();
  const { options, inTime } = useAsOpened(container?.rev);
  const add = useAct("POST /strategic/environments/{envId}/containers", {
    tellsRefusal: false,
    says: ({ data }) => `${data.name} is added.`,
    then: onClose,
  });
  const change = useAct("PUT /strategic/containers/{containerId}", {
    tellsRefusal: false,
    says: ({ data }) => `${data.name} is changed.`,
    then: onClose,
  });
  return (
    <Dialog title={container ? `Change ${container.name}` : "Add a container"} onClose={onClose}>
      <Form
        act={container ? "Keep" : "Add"}
        onSubmit={({ name = "", description, categoryId, ...readers }) =>
          container
            ? inTime(
                change.mutateAsync({
                  path: { containerId: container.id },
                  body: { name, description: description ?? null, categoryId: categoryId ?? null },
                  options,
                }),
              )
            : add.mutateAsync({
                path: { envId: set.id },
                body: {
                  name,
                  ...(description && { description }),
                  ...(categoryId && { categoryId }),
                  ...chosenReaders(readers),
                },
              })
        }
      >
        <Field label="Name" name="name" defaultValue={container?.name} required />
        <TextField
          label="What belongs in it"
          name="description"
          defaultValue={container?.description}
          hint="Its words help to suggest it for documents."
        />
        {categories.length > 0 && (
          <Select
            label="Category"
            name="categoryId"
            defaultValue={container?.categoryId ?? ""}
            options={[["", "none"], ...categories.map(({ id, name }) => [id, name] as const)]}
          />
        )}
        {!container && <ReadersChoice />}
      </Form>
    </Dialog>
  );
}
