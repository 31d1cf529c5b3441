import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import { useCompartmentsOf, useIsReadIn } from "../../../app/compartments.tsx";
import { useMayIn } from "../../../app/sets.ts";
import { Field, Select } from "../../../parts/form.tsx";
import { Section } from "../../../parts/page.tsx";
import { Choices } from "../../shared/administration/choices.tsx";
import type { StaffPlace } from "../../shared/place.ts";
import { startedFrom, type AgentTemplate } from "./draft.ts";
import { marked } from "./findings.tsx";
import type { StepProps } from "./new-agent.tsx";

interface StartProps extends StepProps {
  place: StaffPlace;
  templates: readonly AgentTemplate[];
}

/** What the agent begins as, what it is called, and where it works. */
export function Start({ draft, write, findings, place, templates }: StartProps): ReactNode {
  const templateOf = (id: string): AgentTemplate | undefined => templates.find((one) => one.id === id);
  return (
    <>
      <Section title="What it begins as">
        <Choices
          legend="Begin with"
          name="template"
          value={draft.templateId}
          onChoose={(id) => write(startedFrom(draft, templateOf(draft.templateId), templateOf(id)))}
          options={[
            ...templates.map(({ id, name, description }) => ({ value: id, words: name, hint: description })),
            { value: "", words: "Nothing", hint: "You say everything yourself." },
          ]}
        />
      </Section>
      <Section title="What it is called, and where it works">
        <div className="stack draft">
          <Field
            label="Name"
            name="name"
            value={draft.name}
            maxLength={120}
            onChange={({ currentTarget: { value } }) => write({ name: value })}
            {...marked(findings, "name")}
          />
          <Field
            label="What it is for (optional)"
            name="description"
            value={draft.description}
            maxLength={2_000}
            onChange={({ currentTarget: { value } }) => write({ description: value })}
            {...marked(findings, "description", "Others choose it by this.")}
          />
          <Where place={place} onChoose={() => write({ compartment: "" })} />
          <Readers setId={place.setId} chosen={draft.compartment} onChoose={(compartment) => write({ compartment })} />
        </div>
      </Section>
    </>
  );
}

function Where({ place: { sets, setId }, onChoose }: { place: StaffPlace; onChoose(): void }): ReactNode {
  const [, setSearch] = useSearchParams();
  const mayIn = useMayIn(setId);
  const isRefused = setId !== undefined && !mayIn("agents:enrol");
  return (
    <Select
      label="Where it works"
      name="place"
      value={setId ?? ""}
      onChange={({ currentTarget: { value } }) => {
        setSearch(value ? { set: value } : {}, { replace: true });
        onChoose();
      }}
      options={[
        ["", "Every problem set"],
        ...sets.filter(({ status }) => status === "active").map(({ id, name }) => [id, name] as const),
      ]}
      aria-invalid={isRefused}
      hint={
        isRefused ? (
          <span className="fault">Your role there does not make agents: planners and those above do.</span>
        ) : (
          "It cannot be changed later."
        )
      }
    />
  );
}

interface ReadersProps {
  setId: string | undefined;
  chosen: string;
  onChoose(compartment: string): void;
}

/** The compartments of the set that the person is read into; nothing where there are none. */
function Readers({ setId, chosen, onChoose }: ReadersProps): ReactNode {
  const { data } = useCompartmentsOf(setId, "active");
  const isReadIn = useIsReadIn();
  const open = (setId !== undefined && data?.data.filter(isReadIn)) || [];
  if (!open.length) return null;
  return (
    <Select
      label="Who sees it"
      name="compartment"
      value={chosen}
      onChange={({ currentTarget: { value } }) => onChoose(value)}
      hint="It cannot be changed later."
      options={[
        ["", "Everybody in the problem set"],
        ...open.map(({ id, name }) => [id, `Only those read into ${name}`] as const),
      ]}
    />
  );
}
