import { useState, type ReactNode } from "react";
import { useNavigate } from "react-router";
import { useAsWritten } from "../../api/as-opened.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { useMay } from "../../app/session.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { Field, Form, TextField } from "../../parts/form.tsx";
import { Section, Shown } from "../../parts/page.tsx";
import { actsByNoun, ROLE_WORDS, type SetRole } from "../roles.ts";
import { ParentSelect } from "../sets/new-set.tsx";
import { Hierarchy } from "./hierarchy.tsx";
import { SetPage, useSet } from "./use-set.tsx";

/** What a set is called, what it is for, where it stands, and what its roles allow. */
export function Settings(): ReactNode {
  const { maySet } = useSet();
  return (
    <SetPage title="Settings" intro="Name and purpose of this problem set, its place among others, and its end.">
      <div className="beside">
        <div className="stack">{maySet("set:edit") && <Naming />}</div>
        <div className="stack">
          <Hierarchy />
          <Ending />
        </div>
      </div>
      <RoleTable />
    </SetPage>
  );
}

function Naming(): ReactNode {
  const { set } = useSet();
  const written = useAsWritten(set.rev);
  const change = useAct("PATCH /problem-sets/{id}", { tellsRefusal: false, says: "Kept.", then: written.noteKept });
  return (
    <Section title="Name and purpose">
      <Form
        key={written.key}
        act="Keep"
        onWriting={written.noteWriting}
        onSubmit={({ name = set.name, description, parentId }) =>
          written.inTime(
            change.mutateAsync({
              options: written.options,
              path: { id: set.id },
              body: {
                name,
                description: description ?? null,
                // Only what was chosen otherwise moves it: a parent may be out of this person's sight.
                ...((parentId ?? "") !== (set.parentId ?? "") && { parentId: parentId ?? null }),
              },
            }),
          )
        }
      >
        <Field label="Name" name="name" defaultValue={set.name} maxLength={200} required />
        <TextField label="Purpose" name="description" defaultValue={set.description} maxLength={10_000} />
        <ParentSelect value={set.parentId ?? ""} but={set.id} />
      </Form>
    </Section>
  );
}

/** Into the archive by a commander, out of it by an administrator. */
function Ending(): ReactNode {
  const { set, maySet } = useSet();
  const [isAsked, setAsked] = useState(false);
  const navigate = useNavigate();
  const administers = useMay("platform:administer");
  const archive = useAct("DELETE /problem-sets/{id}", {
    says: `${set.name} is in the archive.`,
    then: () => void navigate("/workspace?status=archived"),
  });
  const restore = useAct("POST /problem-sets/{id}/restore", { says: `${set.name} is active again.` });
  return (
    <Section title="Archive">
      {set.status === "archived" ? (
        <>
          <p>
            It is archived: everything can be read, nothing changed. An administrator of the platform takes it back:
            send one of them the address of this page.
          </p>
          {administers && (
            <button type="button" disabled={restore.isPending} onClick={() => restore.mutate({ path: { id: set.id } })}>
              Take it out of the archive
            </button>
          )}
        </>
      ) : (
        <>
          <p>Nothing is deleted: an archived set is read, and changed no more.</p>
          {maySet("set:archive") ? (
            <button type="button" className="danger" onClick={() => setAsked(true)}>
              Archive this problem set
            </button>
          ) : (
            <p className="muted">Its commander can archive it.</p>
          )}
        </>
      )}
      {isAsked && (
        <Confirm
          title={`Archive ${set.name}?`}
          act="Archive"
          isBusy={archive.isPending}
          onConfirm={() => archive.mutate({ path: { id: set.id } }, { onSettled: () => setAsked(false) })}
          onClose={() => setAsked(false)}
        >
          <p>
            For all its members: they read it, and change nothing. Only an administrator of the platform takes it out of
            the archive again.
          </p>
        </Confirm>
      )}
    </Section>
  );
}

/** The API's own table: what each role may do, noun by noun. */
function RoleTable(): ReactNode {
  const { set } = useSet();
  const roles = useAnswer("GET /problem-sets/{id}/roles", [{ path: { id: set.id } }], { stays: true });
  return (
    <Section title="What each role may do">
      <p className="muted">
        Everybody reads what is not in a compartment. No role opens a compartment, the commander&apos;s neither.
      </p>
      <Shown of={roles}>
        {({ data }) => data.map(({ role, permits }) => <RolePermits key={role} role={role} permits={permits} />)}
      </Shown>
    </Section>
  );
}

function RolePermits({ role, permits }: { role: SetRole; permits: readonly string[] }): ReactNode {
  const nouns = actsByNoun(permits);
  return (
    <details>
      <summary>
        <strong>{role}</strong> {ROLE_WORDS[role]}
      </summary>
      {nouns.size ? (
        <dl>
          {[...nouns].map(([noun, acts]) => (
            <RoleNoun key={noun} noun={noun} acts={acts} />
          ))}
        </dl>
      ) : (
        <p>{permits.includes("*") ? "Everything." : "Reads, and nothing else."}</p>
      )}
    </details>
  );
}

const RoleNoun = ({ noun, acts }: { noun: string; acts: readonly string[] }): ReactNode => (
  <>
    <dt>{noun.replaceAll("-", " ")}</dt>
    <dd>{acts.join(", ").replaceAll("-", " ")}</dd>
  </>
);
