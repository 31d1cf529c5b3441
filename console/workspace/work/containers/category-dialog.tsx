import type { ReactNode } from "react";
import { useAsOpened } from "../../../api/as-opened.ts";
import { useAct } from "../../../api/hooks.ts";
import { chosenReaders } from "../../../app/compartments.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { Field, Form } from "../../../parts/form.tsx";
import { useSet } from "../../set/use-set.tsx";
import { ReadersChoice } from "../compartments.tsx";
import type { ContainerCategory } from "./use-containers.ts";

interface CategoryDialogProps {
  /** The one to change; absent for a new one. */
  of?: ContainerCategory;
  onClose(): void;
}

/** What a heading over containers is called, and where it stands. */
export function CategoryDialog({ of: category, onClose }: CategoryDialogProps): ReactNode {
  const { set } = useSet();
  const { options, inTime } = useAsOpened(category?.rev);
  const add = useAct("POST /strategic/environments/{envId}/categories", {
    tellsRefusal: false,
    says: ({ data }) => `The category ${data.name} is added.`,
    then: onClose,
  });
  const change = useAct("PUT /strategic/categories/{categoryId}", {
    tellsRefusal: false,
    says: ({ data }) => `The category ${data.name} is changed.`,
    then: onClose,
  });
  return (
    <Dialog title={category ? `Change the category ${category.name}` : "Add a category"} onClose={onClose}>
      <Form
        act={category ? "Keep" : "Add"}
        onSubmit={({ name = "", description, position, ...readers }) =>
          category
            ? inTime(
                change.mutateAsync({
                  path: { categoryId: category.id },
                  body: { name, description: description ?? null, ...(position && { position: Number(position) }) },
                  options,
                }),
              )
            : add.mutateAsync({
                path: { envId: set.id },
                body: { name, ...(description && { description }), ...chosenReaders(readers) },
              })
        }
      >
        <Field
          label="Name"
          name="name"
          defaultValue={category?.name}
          hint="A heading over several containers."
          required
        />
        <Field label="Description" name="description" defaultValue={category?.description} />
        {category ? (
          <Field
            label="Place"
            name="position"
            type="number"
            defaultValue={category.position}
            hint="The category with the lowest number stands first."
          />
        ) : (
          <ReadersChoice />
        )}
      </Form>
    </Dialog>
  );
}
