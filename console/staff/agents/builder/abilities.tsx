import type { ReactNode } from "react";
import { useAnswer } from "../../../api/hooks.ts";
import { Check } from "../../../parts/form.tsx";
import { Section, Shown } from "../../../parts/page.tsx";
import { CLASS_WORDS } from "../../shared/words.ts";
import { toggled } from "./draft.ts";
import { Said } from "./findings.tsx";
import type { StepProps } from "./new-agent.tsx";
import { toolsOfDraft, useBuilder } from "./offered.ts";

/** What the agent is good at, with which tools, and in which phases of planning. */
export function Abilities({ draft, write, findings }: StepProps): ReactNode {
  const { capabilities, tools } = useBuilder();
  const phases = useAnswer("GET /admin/agent-builder/phases", [], { stays: true });
  const own = toolsOfDraft(draft, capabilities);
  return (
    <>
      <Section title="What it is good at">
        <p className="muted">With each come the tools that it needs; without any, it can do nothing.</p>
        <fieldset>
          <legend>It is good at</legend>
          {capabilities.map(({ id, name, description }) => (
            <Check
              key={id}
              label={name}
              name={id}
              hint={description}
              checked={draft.capabilities.includes(id)}
              onChange={() => write({ capabilities: toggled(draft.capabilities, id) })}
            />
          ))}
        </fieldset>
        {draft.templateId && draft.capabilities.length === 0 && (
          <p className="hint">With nothing chosen it is good at what its template says.</p>
        )}
        <Said findings={findings} field="capabilities" />
      </Section>
      <Section title="Single tools">
        <p className="muted">More than what comes with the above, for whoever wants to choose them.</p>
        <details>
          <summary>Choose single tools ({draft.tools.length} chosen)</summary>
          <fieldset>
            <legend className="visually-hidden">Tools</legend>
            {tools.map(({ name, summary, class: kind }) => (
              <Check
                key={name}
                label={summary}
                name={name}
                hint={CLASS_WORDS[kind]}
                checked={own.includes(name)}
                disabled={own.includes(name) && !draft.tools.includes(name)}
                onChange={() => write({ tools: toggled(draft.tools, name) })}
              />
            ))}
          </fieldset>
        </details>
        <Said findings={findings} field="tools" />
      </Section>
      <Section title="When it takes part in planning">
        <Shown of={phases}>
          {({ data }) => (
            <fieldset>
              <legend>It takes part in</legend>
              {data.map(({ id, name }) => (
                <Check
                  key={id}
                  label={name}
                  name={id}
                  checked={draft.phases.includes(id)}
                  onChange={() => write({ phases: toggled(draft.phases, id) })}
                />
              ))}
            </fieldset>
          )}
        </Shown>
        <p className="muted note">It is told so before each task. It may be asked at any time all the same.</p>
      </Section>
    </>
  );
}
