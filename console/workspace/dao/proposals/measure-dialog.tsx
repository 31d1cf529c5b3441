import { useState, type ReactNode } from "react";
import { useAnswer } from "../../../api/hooks.ts";
import { useMay } from "../../../app/session.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { Field, Form, Select, type FormFields } from "../../../parts/form.tsx";
import { ROLE_WORDS, ROLES } from "../../roles.ts";
import { choicesOf, usePeople } from "../../set/known.ts";
import { useSet } from "../../set/use-set.tsx";
import type { DaoMeasure, DaoMeasureName, VoteKind } from "../dao-types.ts";
import { FurtherRules, MainRules, Makeup } from "../founding/setting-fields.tsx";
import { changedSettings, settingsFrom } from "../founding/settings-form.ts";
import { MEASURE_TITLES } from "../rule-words.ts";
import { useDao, useRoles } from "../use-dao.tsx";
import { measureFrom } from "./measure-form.ts";

interface MeasureProps {
  kind: VoteKind;
  options: readonly string[];
  onMade(measure: DaoMeasure): void;
  onClose(): void;
}

/** One thing that the platform is to do if the proposal passes. */
export function MeasureDialog({ kind, options, onMade, onClose }: MeasureProps): ReactNode {
  const { dao } = useDao();
  const allowed = dao.config.measures;
  const [name, setName] = useState<DaoMeasureName>(allowed[0]!);
  function submit(fields: FormFields): void {
    const made = measureFrom(name, fields, changedSettings(dao.config, settingsFrom(fields)));
    if ("missing" in made) throw new Error(made.missing);
    onMade(made.measure);
    onClose();
  }
  return (
    <Dialog title="Add a measure" onClose={onClose}>
      <Form act="Add" onSubmit={submit}>
        <Select
          label="What is done"
          name="do"
          value={name}
          onChange={({ target }) => setName(target.value as DaoMeasureName)}
          options={allowed.map((one) => [one, MEASURE_TITLES[one]] as const)}
        />
        {/* Another kind of measure begins with empty fields. */}
        <MeasureFields key={name} name={name} />
        {kind !== "basic" && options.length > 0 && (
          <Select
            label="When"
            name="option"
            options={[
              ["", "Whichever option wins"],
              ...options.map((option, at) => [String(at), `Only if “${option}” wins`] as const),
            ]}
          />
        )}
      </Form>
    </Dialog>
  );
}

function MeasureFields({ name }: { name: DaoMeasureName }): ReactNode {
  switch (name) {
    case "change-config":
      return <ConfigFields />;
    case "grant-dao-role":
    case "revoke-dao-role":
      return (
        <>
          <PersonSelect />
          <DaoRoleSelect />
        </>
      );
    case "grant-set-role":
      return (
        <>
          <PersonSelect />
          <Select
            label="Role in the problem set"
            name="role"
            options={ROLES.filter((role) => role !== "commander").map(
              (role) => [role, `${role}: ${ROLE_WORDS[role]}`] as const,
            )}
          />
        </>
      );
    case "open-gate":
      return <GateSelect />;
    case "pay-bounty":
      return <BountyChoice />;
  }
}

function ConfigFields(): ReactNode {
  const of = useDao().dao.config;
  return (
    <>
      <p className="muted">What you leave empty stays as it is.</p>
      <MainRules of={of} isPartial />
      <details>
        <summary>Who votes, and further rules</summary>
        <div className="stack">
          <Makeup of={of} isPartial />
          <FurtherRules of={of} isPartial />
        </div>
      </details>
    </>
  );
}

function PersonSelect(): ReactNode {
  const people = usePeople();
  return (
    <Select
      label="Who"
      name="account"
      required
      options={[["", "Choose somebody"], ...choicesOf(people, ({ userId }) => userId)]}
    />
  );
}

function DaoRoleSelect(): ReactNode {
  const roles = useRoles();
  if (!roles.length) return <p className="fault">The DAO has no roles yet. Roles are created on its page “Members”.</p>;
  return (
    <Select
      label="Role in the DAO"
      name="roleId"
      required
      options={[["", "Choose a role"], ...roles.map(({ id, name }) => [id, name] as const)]}
    />
  );
}

function GateSelect(): ReactNode {
  const { set } = useSet();
  const gates = useAnswer("GET /gates/{problemSetId}", [
    { path: { problemSetId: set.id }, query: { limit: 100, sort: "-updatedAt" } },
  ]);
  return (
    <Select
      label="Gate"
      name="gateId"
      required
      hint="A gate in a compartment can be opened only by a DAO of the same compartments."
      options={[
        ["", "Choose a gate"],
        ...(gates.data?.data ?? []).map(({ id, name, status }) => [id, `${name} (${status})`] as const),
      ]}
    />
  );
}

function BountyChoice(): ReactNode {
  const isReader = useMay("escrow:read");
  const bounties = useAnswer("GET /escrow/bounties", [{ query: { limit: 100 } }], { enabled: isReader });
  const known = bounties.data?.data ?? [];
  if (!known.length)
    return (
      <Field label="Bounty" name="bountyId" required hint="Its id. It must be one that a member of the DAO promised." />
    );
  return (
    <Select
      label="Bounty"
      name="bountyId"
      required
      hint="It must be one that a member of the DAO promised."
      options={[["", "Choose a bounty"], ...known.map(({ id, title }) => [id, title] as const)]}
    />
  );
}
