import type { ReactNode } from "react";
import { useAct, useAnswer } from "../../../api/hooks.ts";
import { Dialog } from "../../../parts/dialog.tsx";
import { Field, Form, type FormFields } from "../../../parts/form.tsx";
import { LIMITS } from "../builder/manner.tsx";
import type { ModelGiven, ModelTold } from "./model.tsx";

const PRICES = [
  ["priceIn", "Price of a million tokens read"],
  ["priceOut", "Price of a million tokens written"],
] as const;

interface ModelDialogProps {
  of: ModelTold;
  agentId: string;
  name: string;
  onClose(): void;
}

/** Sets what an agent has of its own; fields left empty go back to its template, and then to the platform. */
export function ModelDialog({ of: { value, sources }, agentId, name, onClose }: ModelDialogProps): ReactNode {
  const models = useAnswer("GET /admin/llm-models", [], { stays: true });
  const save = useAct("PUT /admin/agents/{agentId}/model-config", {
    tellsRefusal: false,
    says: "It holds from its next run on.",
    then: onClose,
  });
  /** What is its own is filled in; what it has from elsewhere is shown behind. */
  const initial = (path: string) => {
    const [field = "", part] = path.split(".");
    const found = (value as Record<string, unknown>)[field];
    const shown = part ? (found as Record<string, unknown> | undefined)?.[part] : found;
    const text = shown === undefined ? "" : String(shown);
    return sources[field] === "agent" ? { defaultValue: text } : { placeholder: text };
  };
  return (
    <Dialog title={`Model and limits of ${name}`} onClose={onClose}>
      <Form act="Save" onSubmit={(fields) => save.mutateAsync({ path: { agentId }, body: givenIn(fields) })}>
        <p>What is left empty is as its template or the platform says, which stands in grey.</p>
        <Field label="Model" name="model" list="own-models" maxLength={200} {...initial("model")} />
        <datalist id="own-models">
          {models.data?.data.map(({ id }) => (
            <option key={id} value={id}>
              {id}
            </option>
          ))}
        </datalist>
        {LIMITS.map(([, path, label, hint, step]) => (
          <Field
            key={path}
            label={label}
            name={path}
            type="number"
            step={step}
            min={0}
            hint={hint}
            {...initial(path)}
          />
        ))}
        {PRICES.map(([path, label]) => (
          <Field
            key={path}
            label={label}
            name={path}
            type="number"
            step="any"
            min={0}
            hint="Where its model costs other than the platform’s."
            {...initial(path)}
          />
        ))}
      </Form>
    </Dialog>
  );
}

function givenIn(fields: FormFields): ModelGiven {
  const numbers = (paths: readonly string[]): Record<string, number> =>
    Object.fromEntries(
      paths.flatMap((path) => {
        const text = fields[path];
        return text === undefined ? [] : [[path.split(".").at(-1)!, Number(text)]];
      }),
    );
  const budget = numbers(["budget.calls", "budget.tokens", "budget.cost"]);
  return {
    ...(fields["model"] && { model: fields["model"].trim() }),
    ...numbers(["maxTokens", "temperature", "priceIn", "priceOut"]),
    ...(Object.keys(budget).length > 0 && { budget }),
  };
}
