import { useState, type ReactNode } from "react";
import type { Data } from "../../../api/client.ts";
import { useAct, useAnswer } from "../../../api/hooks.ts";
import { useCompartmentsOf, useIsReadIn } from "../../../app/compartments.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { Check, Field, Form, Select, TextField, type FormFields } from "../../../parts/form.tsx";
import { Loading } from "../../../parts/page.tsx";
import { CopyText } from "../copy-text.tsx";
import { claimsAsked, claimsIn, IN_SETS, type ClaimField, type ClaimedKind } from "./claim-fields.ts";
import { useIssuing } from "./may-issue.ts";
import { SubjectField, subjectIn } from "./subject.tsx";

type Kinds = Data<"GET /credentials/types">;
type Issued = Data<"POST /credentials/issue/user-profile">;

const issuedBy = (kind: ClaimedKind) => `POST /credentials/issue/${kind}` as const;
const FORMATS = [
  ["data-integrity", "as JSON with its signature"],
  ["vc+jwt", "as one long line (JWT)"],
  ["vc+sd-jwt", "as one long line of which they can withhold parts (SD-JWT)"],
] as const;

/** Issues a credential, and shows it to be passed on. */
export function Issue({ onClose }: { onClose(): void }): ReactNode {
  const [issued, setIssued] = useState<Issued>();
  const kinds = useAnswer("GET /credentials/types", [], { stays: true });
  return (
    <Dialog title={issued ? "It is issued" : "Issue a credential"} onClose={onClose}>
      {!issued && !kinds.data && <Loading />}
      {!issued && kinds.data && <Writing kinds={kinds.data.data} onIssued={setIssued} />}
      {issued && (
        <div className="stack">
          <p>
            Give it to whoever it is about. If they have an account here, they find it under their own credentials; you
            find it under those that were issued.
          </p>
          <CopyText text={issued.jwt ?? JSON.stringify(issued.credential, null, 2)} label="The credential" />
        </div>
      )}
    </Dialog>
  );
}

function Writing({ kinds, onIssued }: { kinds: Kinds; onIssued(issued: Issued): void }): ReactNode {
  const { mayAtLarge, sets } = useIssuing();
  const [setId, setSetId] = useState<string | undefined>(mayAtLarge ? undefined : sets[0]?.id);
  const open = kinds.filter(({ kind }) => setId === undefined || IN_SETS.includes(kind));
  const [wanted, setKind] = useState<ClaimedKind>(open[0]!.kind);
  const { kind, description, subject } = open.find((one) => one.kind === wanted) ?? open[0]!;
  const asked = claimsAsked(kind, sets.find(({ id }) => id === setId)?.role);
  const issue = useAct(issuedBy(kind), { tellsRefusal: false, then: ({ data }) => onIssued(data) });
  const submit = async (fields: FormFields): Promise<unknown> => {
    const compartments = Object.keys(fields).flatMap((name) =>
      name.startsWith("compartment.") ? [name.slice("compartment.".length)] : [],
    );
    const body = {
      ...(await subjectIn(fields)),
      ...claimsIn(asked, fields),
      format: fields["format"],
      ...(fields["validUntil"] && { validUntil: new Date(fields["validUntil"]).toISOString() }),
      ...(setId !== undefined && { problemSetId: setId }),
      ...(compartments.length > 0 && { compartments }),
    };
    return issue.mutateAsync({ body: body as never });
  };
  return (
    <Form act="Issue it" onSubmit={submit}>
      {sets.length > 0 && (
        <Select
          label="What it is about lies"
          name="place"
          value={setId ?? ""}
          onChange={({ currentTarget: { value } }) => setSetId(value || undefined)}
          options={[
            ...(mayAtLarge ? [["", "outside of problem sets"] as const] : []),
            ...sets.map(({ id, name }) => [id, `in ${name}`] as const),
          ]}
        />
      )}
      <Select
        label="Kind"
        name="kind"
        value={kind}
        onChange={({ currentTarget: { value } }) => setKind(value as ClaimedKind)}
        options={open.map((one) => [one.kind, one.title] as const)}
        hint={description}
      />
      {setId !== undefined && (
        <p className="muted">
          It says what they hold there, and gives nothing by itself: roles are given to members. Once it is suspended,
          revoked or over, what it says is taken from them there.
        </p>
      )}
      <SubjectField of={subject} setId={setId} />
      {asked.map((field) => (
        <Claim key={`${kind} ${field.name}`} {...field} />
      ))}
      {setId !== undefined && kind === "security-clearance" && <Compartments setId={setId} />}
      <Field
        label="Until (optional)"
        name="validUntil"
        type="datetime-local"
        hint="Without an end it holds until it is revoked."
      />
      <Select label="They get it" name="format" options={FORMATS} />
    </Form>
  );
}

function Claim({ name, label, hint, isNeeded, as, options }: ClaimField): ReactNode {
  const common = {
    label: isNeeded ? label : `${label} (optional)`,
    name,
    required: isNeeded === true,
    ...(hint && { hint }),
  };
  if (as === "choice") return <Select {...common} options={options!} />;
  if (as === "lines" || as === "sources") return <TextField {...common} rows={2} />;
  return <Field {...common} maxLength={2_000} />;
}

/** Those that whoever issues is read into. */
function Compartments({ setId }: { setId: string }): ReactNode {
  const { data } = useCompartmentsOf(setId, "active");
  const isReadIn = useIsReadIn();
  const open = data?.data.filter(isReadIn) ?? [];
  if (!open.length) return null;
  return (
    <fieldset>
      <legend>Read into</legend>
      {open.map(({ id, name }) => (
        <Check key={id} label={name} name={`compartment.${id}`} />
      ))}
    </fieldset>
  );
}
