import type { ReactNode } from "react";
import type { Data } from "../../../api/client.ts";
import { useAnswer } from "../../../api/hooks.ts";
import { Section, Shown } from "../../../parts/page.tsx";
import { Choices } from "../../shared/administration/choices.tsx";
import { CLASS_WORDS } from "../../shared/words.ts";
import { Said } from "./findings.tsx";
import type { StepProps } from "./new-agent.tsx";
import { toolsOfDraft, useBuilder, type OfferedTool } from "./offered.ts";

type Level = Data<"GET /admin/agent-builder/autonomy-levels">[number];

const VERDICTS = [
  ["allow", "By itself"],
  ["approve", "After a person has approved it"],
  ["forbid", "Never"],
] as const;

/** How much is left to the agent, and what each level means for the tools that it has. */
export function Freedom({ draft, write, findings }: StepProps): ReactNode {
  const levels = useAnswer("GET /admin/agent-builder/autonomy-levels", [], { stays: true });
  const { capabilities, tools } = useBuilder();
  const own = toolsOfDraft(draft, capabilities);
  return (
    <Section title="How much is left to it">
      <Shown of={levels}>
        {({ data }) => {
          const level = data.find((one) => one.level === draft.autonomy);
          return (
            <>
              <Choices
                legend="Left to it"
                name="autonomy"
                value={String(draft.autonomy)}
                onChoose={(value) => write({ autonomy: Number(value) })}
                options={data.map((one) => ({ value: String(one.level), words: one.name, hint: one.meaning }))}
              />
              <Said findings={findings} field="autonomy" />
              <Said findings={findings} field="tools" />
              {level && <Meaning level={level} tools={tools.filter(({ name }) => own.includes(name))} />}
            </>
          );
        }}
      </Shown>
    </Section>
  );
}

function Meaning({ level, tools }: { level: Level; tools: readonly OfferedTool[] }): ReactNode {
  return (
    <>
      <h3>With its tools, it does</h3>
      {tools.length === 0 && <p className="empty">It has no tools yet: go back, and choose what it is good at.</p>}
      <div className="columns">
        {VERDICTS.map(([verdict, words]) => {
          const own = tools.filter((tool) => level.verdicts[tool.class] === verdict);
          return (
            own.length > 0 && (
              <Verdict key={verdict} words={words} list={own.map(({ summary }) => summary.replace(/\.$/, ""))} />
            )
          );
        })}
      </div>
      <details>
        <summary>What it may do of everything there is</summary>
        <div className="columns">
          {VERDICTS.map(([verdict, words]) => {
            const kinds = Object.keys(CLASS_WORDS).filter((kind) => level.verdicts[kind] === verdict);
            return (
              kinds.length > 0 && <Verdict key={verdict} words={words} list={kinds.map((kind) => CLASS_WORDS[kind]!)} />
            );
          })}
        </div>
      </details>
      <p className="hint">
        This is the most that it may do: it has the rights of the person it works for, never more. Once it has read a
        text by somebody else, such as an article, a person decides whatever changes something.
      </p>
    </>
  );
}

const Verdict = ({ words, list }: { words: string; list: readonly string[] }): ReactNode => (
  <div>
    <h4>{words}</h4>
    <ul>
      {list.map((one) => (
        <li key={one}>{one}</li>
      ))}
    </ul>
  </div>
);
