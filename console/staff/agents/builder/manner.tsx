import type { ReactNode } from "react";
import { useAnswer } from "../../../api/hooks.ts";
import { Field, TextField } from "../../../parts/form.tsx";
import { Section, Shown } from "../../../parts/page.tsx";
import { ModelWords } from "../model-words.tsx";
import type { Draft, AgentTemplate } from "./draft.ts";
import { marked } from "./findings.tsx";
import type { StepProps } from "./new-agent.tsx";

type Limit = "maxTokens" | "temperature" | "calls" | "tokens" | "cost";
/** Each with the path by which the platform names it. */
export const LIMITS: readonly (readonly [name: Limit, path: string, label: string, hint: string, step: string])[] = [
  ["calls", "budget.calls", "Most acts of a run", "Then it stops, and says how far it came. At most 50.", "1"],
  ["tokens", "budget.tokens", "Most tokens of a run", "A token is about four letters. At most 200,000.", "1"],
  ["cost", "budget.cost", "Most that a run costs", "Only where prices of the model are set.", "any"],
  ["maxTokens", "maxTokens", "Longest answer", "In tokens, 64 to 8,192.", "1"],
  ["temperature", "temperature", "How freely it answers", "0: as alike as can be each time. At most 2.", "any"],
];

/** In which words it works, with which model, and within which limits. */
export function Manner({
  draft,
  write,
  findings,
  template,
}: StepProps & { template: AgentTemplate | undefined }): ReactNode {
  const models = useAnswer("GET /admin/llm-models", [], { stays: true });
  return (
    <>
      <Section title="Its instructions">
        {template && !draft.character && (
          <>
            <p className="muted">Without words of your own, it has those of its template:</p>
            <blockquote className="pre">{template.character}</blockquote>
          </>
        )}
        <div className="stack draft">
          <TextField
            label="Instructions (optional)"
            name="character"
            rows={5}
            maxLength={8_000}
            value={draft.character}
            onChange={({ currentTarget: { value } }) => write({ character: value })}
            {...marked(findings, "character", "How it should work; it reads them before each task.")}
          />
        </div>
      </Section>
      <Section title="Its model, and its limits">
        <Shown of={models}>
          {(answer) => (
            <>
              <ModelWords {...answer} />
              <div className="stack draft">
                <Field
                  label="Model (optional)"
                  name="model"
                  list="models"
                  value={draft.model}
                  maxLength={200}
                  onChange={({ currentTarget: { value } }) => write({ model: value })}
                  {...marked(findings, "model", "Empty: the platform’s.")}
                />
                <datalist id="models">
                  {answer.data.map(({ id }) => (
                    <option key={id} value={id}>
                      {id}
                    </option>
                  ))}
                </datalist>
              </div>
            </>
          )}
        </Shown>
        <div className="columns">
          {LIMITS.map(([name, path, label, hint, step]) => (
            <Field
              key={name}
              label={`${label} (optional)`}
              name={path}
              type="number"
              step={step}
              min={0}
              value={draft[name]}
              placeholder={initialOf(template, name)}
              onChange={({ currentTarget: { value } }) => write({ [name]: value } as Partial<Draft>)}
              {...marked(findings, path, hint)}
            />
          ))}
        </div>
      </Section>
    </>
  );
}

/** What the template says where nothing is filled in. */
function initialOf(template: AgentTemplate | undefined, name: Limit): string | undefined {
  if (!template) return undefined;
  const { budget } = template;
  const value = name === "maxTokens" || name === "temperature" ? template[name] : budget?.[name];
  return value === undefined ? undefined : String(value);
}
