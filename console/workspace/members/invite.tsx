import { useState, type ReactNode } from "react";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Check, Field, Form, Select, type FormFields } from "../../parts/form.tsx";
import type { Data, Input } from "../../api/client.ts";
import type { SetRole } from "../roles.ts";
import { choicesOf } from "../set/known.ts";
import { useSet } from "../set/use-set.tsx";
import { HandOn } from "./hand-on.tsx";
import { RoleSelect } from "./role-select.tsx";

type Way = "code" | "colleague" | "did";
const WAYS: readonly (readonly [Way, string])[] = [
  ["code", "by a code that I hand on"],
  ["colleague", "somebody from another problem set of mine"],
  ["did", "somebody whose DID I know"],
];
const DAY_MS = 86_400_000;
const DAYS = [
  ["1", "1 day"],
  ["7", "7 days"],
  ["30", "30 days"],
  ["90", "90 days"],
] as const;

type Wanted = NonNullable<Input<"POST /problem-sets/{id}/invite">["body"]>;

function wantedOf({ role, did, uses, days = "7", approval }: FormFields): Wanted {
  return {
    role: role as SetRole,
    expiresAt: new Date(Date.now() + Number(days) * DAY_MS).toISOString(),
    ...(did && { did: did.trim() }),
    ...(uses && { uses: Number(uses) }),
    ...(approval && { approval: true }),
  };
}

/** Invites people: by a code, which is shown once, or one person, who finds the invitation among their own. */
export function InviteDialog({ onClose }: { onClose(): void }): ReactNode {
  const { set, maySet } = useSet();
  const [way, setWay] = useState<Way>("code");
  const [made, setMade] = useState<Data<"POST /problem-sets/{id}/invite">>();
  const [name, setName] = useState<string>();
  const invite = useAct("POST /problem-sets/{id}/invite", {
    tellsRefusal: false,
    then: ({ data }) => setMade(data),
  });
  if (made) return <HandOn invitation={made} name={name} onClose={onClose} />;
  return (
    <Dialog title={`Invite into ${set.name}`} onClose={onClose}>
      <Form
        act={way === "code" ? "Make a code" : "Invite"}
        onSubmit={(fields, form) => {
          setName(chosenIn(form));
          return invite.mutateAsync({ path: { id: set.id }, body: wantedOf(fields) });
        }}
      >
        <RoleSelect />
        <Select
          label="How"
          name="way"
          value={way}
          options={WAYS}
          onChange={({ currentTarget }) => setWay(currentTarget.value as Way)}
        />
        {way === "code" && (
          <Field label="How many people may use it" name="uses" type="number" min={1} max={1_000} defaultValue={1} />
        )}
        {way === "colleague" && <Colleague />}
        {way === "did" && <Field label="Their DID" name="did" placeholder="did:key:…" required />}
        <Select label="Good for" name="days" defaultValue="7" options={DAYS} />
        {maySet("members:manage") ? (
          <Check
            label="Somebody lets them in"
            name="approval"
            hint="Otherwise they are members as soon as they accept."
          />
        ) : (
          <p className="muted">Somebody who manages members lets them in: you do not.</p>
        )}
      </Form>
    </Dialog>
  );
}

/** The name of a person who was chosen: the set does not know it before they come in. */
function chosenIn(form: HTMLFormElement): string | undefined {
  const chosen = form.elements.namedItem("did");
  return chosen instanceof HTMLSelectElement ? chosen.selectedOptions[0]?.text : undefined;
}

/** A person whom one shares another problem set with. */
function Colleague(): ReactNode {
  const { set } = useSet();
  const [from, setFrom] = useState<string>();
  const sets = useAnswer("GET /problem-sets/me", [{ query: { sort: "name", limit: 100 } }]);
  const others = sets.data?.data.filter(({ id }) => id !== set.id) ?? [];
  const chosen = from ?? others[0]?.id;
  const people = useAnswer("GET /accounts/people", [{ query: { problemSetId: chosen ?? "", limit: 100 } }], {
    enabled: Boolean(chosen),
  });
  const here = useAnswer("GET /accounts/people", [{ query: { problemSetId: set.id, limit: 100 } }]);
  if (sets.data && !others.length)
    return <p className="muted">You are in no other problem set. Hand on a code instead.</p>;
  const inside = new Set(here.data?.data.map(({ userId }) => userId));
  const outside = people.data?.data.filter(({ userId }) => !inside.has(userId)) ?? [];
  return (
    <>
      <Select
        label="From"
        name="from"
        value={chosen}
        options={others.map(({ id, name }) => [id, name] as const)}
        onChange={({ currentTarget }) => setFrom(currentTarget.value)}
      />
      <Select
        key={chosen}
        label="Person"
        name="did"
        required
        hint={people.data && !outside.length ? "Everybody of that set is here already." : undefined}
        options={choicesOf(outside, ({ did }) => did)}
      />
    </>
  );
}
