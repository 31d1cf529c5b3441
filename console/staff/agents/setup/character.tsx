import { useState, type ReactNode } from "react";
import type { Data } from "../../../api/client.ts";
import { useAct, useAnswer } from "../../../api/hooks.ts";
import { ConfirmButton, Dialog } from "../../../parts/dialog.tsx";
import { Form, TextField } from "../../../parts/form.tsx";
import { Empty, Section, Shown } from "../../../parts/page.tsx";
import type { SetupProps } from "./setup.tsx";

type Told = Data<"GET /admin/agents/{agentId}/character">;

const SOURCES: Readonly<Record<Told["source"], string>> = {
  agent: "Its own words; it reads them before each task.",
  template: "The words of its template; it reads them before each task, and changes with it.",
  platform: "",
};

/** The instructions that an agent reads before each task, and whose words they are. */
export function Character({ agent: { id, name }, mayChange }: SetupProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const path = { agentId: id };
  const told = useAnswer("GET /admin/agents/{agentId}/character", [{ path }]);
  const clear = useAct("DELETE /admin/agents/{agentId}/character", { says: "Its own words are gone." });
  const data = told.data?.data;
  return (
    <Section
      title="Instructions"
      acts={
        mayChange &&
        data && (
          <>
            <button type="button" onClick={() => setOpen(true)}>
              Write its instructions
            </button>
            {data.source === "agent" && (
              <ConfirmButton
                words="Take its words away"
                title={`Take away the words of ${name}?`}
                run={() => clear.mutateAsync({ path })}
              >
                <p>
                  {data.templateId
                    ? "It has those of its template again."
                    : "It has none then, and works all the same."}
                </p>
              </ConfirmButton>
            )}
          </>
        )
      }
    >
      <Shown of={told}>
        {({ data: { character, source } }) =>
          character ? (
            <>
              <p className="muted">{SOURCES[source]}</p>
              <p className="pre">{character}</p>
            </>
          ) : (
            <Empty>It has none: it works by the rules of every agent alone.</Empty>
          )
        }
      </Shown>
      {isOpen && data && <Write of={data} agentId={id} name={name} onClose={() => setOpen(false)} />}
    </Section>
  );
}

interface WriteProps {
  of: Told;
  agentId: string;
  name: string;
  onClose(): void;
}

function Write({ of: { character }, agentId, name, onClose }: WriteProps): ReactNode {
  const save = useAct("PUT /admin/agents/{agentId}/character", {
    tellsRefusal: false,
    says: "It has them from its next run on.",
    then: onClose,
  });
  return (
    <Dialog title={`Instructions for ${name}`} onClose={onClose}>
      <Form
        act="Save"
        onSubmit={({ character: words = "" }) => save.mutateAsync({ path: { agentId }, body: { character: words } })}
      >
        <TextField
          label="Instructions"
          name="character"
          rows={8}
          defaultValue={character}
          maxLength={8_000}
          required
          hint="How it should work, in words. You answer for them."
        />
      </Form>
    </Dialog>
  );
}
