import { useState, type ReactNode } from "react";
import { useNavigate } from "react-router";
import { useAct } from "../../api/hooks.ts";
import { Field, Form } from "../../parts/form.tsx";
import { Section } from "../../parts/page.tsx";
import { Choices } from "../shared/administration/choices.tsx";
import { StaffPage } from "../shared/frame.tsx";
import { givenIn } from "./given.ts";
import { atField } from "./refusals.ts";
import { ToolFields } from "./tool-fields.tsx";
import { KINDS, type ToolKind } from "./tool-words.ts";

/** Adds something that agents can be given to do. */
export function NewTool(): ReactNode {
  return (
    <StaffPage
      title="Add a tool"
      intro="No agent has it before it is given to one. You will be asked to prove that it is you."
    >
      <Writing />
    </StaffPage>
  );
}

function Writing(): ReactNode {
  const navigate = useNavigate();
  const [kind, setKind] = useState<ToolKind>("action");
  const [method, setMethod] = useState("GET");
  const add = useAct("POST /admin/tools", {
    tellsRefusal: false,
    says: "It is there. Give it to an agent now.",
    then: ({ data }) => void navigate(`/staff/tools/${data.id}`),
  });
  return (
    <Section title="What it is">
      <div className="stack draft">
        <Choices
          legend="It leads to"
          name="kind"
          value={kind}
          onChoose={(chosen) => {
            setKind(chosen as ToolKind);
            setMethod("GET");
          }}
          options={KINDS.map(([value, words, hint]) => ({ value, words, hint }))}
        />
        <Form
          key={kind}
          act="Add it"
          label="The tool"
          onSubmit={({ name = "", ...fields }) =>
            add.mutateAsync({ body: { name: name.trim(), kind, ...givenIn(kind, fields) } }).catch((error: unknown) => {
              throw atField(error, kind);
            })
          }
        >
          <Field
            label="Name"
            name="name"
            required
            maxLength={60}
            placeholder="show_objective"
            hint="Agents call it by this: small letters, digits and _ alone. It cannot be changed later."
          />
          <ToolFields kind={kind} method={method} onMethod={setMethod} />
        </Form>
      </div>
    </Section>
  );
}
