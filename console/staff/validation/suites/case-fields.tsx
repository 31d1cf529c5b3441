import type { ReactNode } from "react";
import type { ListRow } from "../../../api/client.ts";
import { Check, Field, Select, TextField } from "../../../parts/form.tsx";
import { CHECKS, fieldOfCheck, type DraftCase, type DraftCheck } from "./drafting.ts";

type Tool = ListRow<"GET /agents/tools">;

interface CaseProps {
  draft: DraftCase;
  at: number;
  tools: readonly Tool[];
  change(draft: DraftCase): void;
  remove: (() => void) | undefined;
}

/** One case as it is written: the task, and what must hold of the answer. */
export function CaseFields({ draft, at, tools, change, remove }: CaseProps): ReactNode {
  const { checks } = draft;
  const title = `Case ${at + 1}`;
  const add = (): void =>
    change({
      ...draft,
      checks: [...checks, { key: Math.max(...checks.map(({ key }) => key)) + 1, kind: "answers" }],
    });
  return (
    <section className="draft-step" aria-label={title}>
      <div className="row between">
        <h2>{title}</h2>
        {remove && (
          <button type="button" aria-label={`Remove: ${title}`} onClick={remove}>
            Remove
          </button>
        )}
      </div>
      <TextField label="Task" name={`cases.${at}.task`} rows={2} required hint="What the agent is asked to do." />
      <TextField
        label="A text that it is given with it"
        name={`cases.${at}.input`}
        rows={2}
        hint="Such as a report to sum up, or a note that tries to give it orders. May be left empty."
      />
      {checks.map((check, nth) => (
        <CheckFields
          key={check.key}
          check={check}
          path={`cases.${at}.assertions.${nth}`}
          title={`${title}, check ${nth + 1}`}
          tools={tools}
          change={(changed) => change({ ...draft, checks: checks.map((one) => (one === check ? changed : one)) })}
          remove={
            checks.length > 1 ? () => change({ ...draft, checks: checks.filter((one) => one !== check) }) : undefined
          }
        />
      ))}
      <div>
        <button type="button" aria-label={`Add a check to ${title.toLowerCase()}`} onClick={add}>
          Add a check
        </button>
      </div>
    </section>
  );
}

interface CheckProps {
  check: DraftCheck;
  path: string;
  title: string;
  tools: readonly Tool[];
  change(check: DraftCheck): void;
  remove: (() => void) | undefined;
}

function CheckFields({ check, path, title, tools, change, remove }: CheckProps): ReactNode {
  return (
    <fieldset>
      <legend>{title}</legend>
      <Select
        label="It holds if"
        name={`${path}.kind`}
        value={check.kind}
        options={CHECKS.map(({ kind, words }) => [kind, words] as const)}
        onChange={({ currentTarget: { value } }) => change({ ...check, kind: value as DraftCheck["kind"] })}
      />
      <Asked kind={check.kind} name={`${path}.${fieldOfCheck(check.kind)}`} tools={tools} />
      <Check label="Without it the case has failed, whatever else holds" name={`${path}.critical`} />
      {remove && (
        <div>
          <button type="button" aria-label={`Remove: ${title}`} onClick={remove}>
            Remove
          </button>
        </div>
      )}
    </fieldset>
  );
}

interface AskedProps {
  kind: DraftCheck["kind"];
  name: string;
  tools: readonly Tool[];
}

/** What a check needs to know. */
function Asked({ kind, name, tools }: AskedProps): ReactNode {
  const { asks } = CHECKS.find((one) => one.kind === kind)!;
  if (asks === "nothing") return null;
  if (asks === "tool")
    return (
      <Select
        label="Tool"
        name={name}
        options={[["", "choose"], ...tools.map((tool) => [tool.name, tool.summary] as const)]}
        required
      />
    );
  if (asks === "text")
    return (
      <Field
        label={kind === "rubric" ? "What is good" : "Text"}
        name={name}
        maxLength={2_000}
        hint={kind === "rubric" ? "Such as: It names the bridge and says since when it is closed." : undefined}
        required
      />
    );
  return (
    <Field
      key={kind}
      label={asks.figure}
      name={name}
      type="number"
      min={asks.from}
      max={asks.to}
      step={kind === "cost" ? "any" : 1}
      defaultValue={asks.given}
      required
    />
  );
}
