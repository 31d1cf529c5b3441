import type { ReactNode } from "react";
import type { Data, Input } from "../../api/client.ts";
import { useAct } from "../../api/hooks.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Form, TextField } from "../../parts/form.tsx";
import { Table, type Column } from "../../parts/table.tsx";
import { Badge, Time } from "../../parts/texts.tsx";
import { ClaimList } from "./shown-credential.tsx";
import { claimsIn } from "./claims.ts";

type Verdict = Data<"POST /credentials/verify">;
type Check = Verdict["checks"][number];
type Given = Input<"POST /credentials/verify">["body"]["credential"];

const CHECKS: Record<Check["check"], string> = {
  structure: "Has the form of a credential",
  schema: "Says what its kind says",
  issuer: "Its issuer can be looked up",
  proof: "Is signed by its issuer, unchanged",
  validity: "Is within its time",
  status: "Is not revoked or suspended",
};
const TONES = { passed: "good", failed: "bad", unknown: "warn", "not-applicable": "plain" } as const;

const COLUMNS: readonly Column<Check>[] = [
  { head: "Check", cell: ({ check }) => CHECKS[check] },
  { head: "Outcome", cell: ({ outcome }) => <Badge tone={TONES[outcome]}>{outcome}</Badge> },
  { head: "In words", cell: ({ message }) => message, isText: true },
];

/** JSON, or the compact form that begins with letters. */
function parsed(text: string): Given {
  const given = text.trim();
  if (!given.startsWith("{")) return given;
  try {
    return JSON.parse(given) as Given;
  } catch (error) {
    throw new Error("This begins as JSON and is none: a part of it may be missing.", { cause: error });
  }
}

/** Says of a pasted credential whether it holds, check by check. */
export function Verify({ onClose }: { onClose(): void }): ReactNode {
  const verify = useAct("POST /credentials/verify", { tellsRefusal: false });
  return (
    <Dialog title="Verify a credential" onClose={onClose}>
      <Form
        act="Verify"
        onSubmit={async ({ credential = "" }) => verify.mutateAsync({ body: { credential: parsed(credential) } })}
      >
        <TextField
          label="The credential"
          name="credential"
          rows={6}
          hint="As you got it: JSON, or one long line (JWT, SD-JWT). It is looked at, and not kept."
          required
        />
      </Form>
      {verify.data && <Outcome of={verify.data.data} given={verify.variables?.body.credential} />}
    </Dialog>
  );
}

interface OutcomeProps {
  of: Verdict;
  given: Given | undefined;
}

function Outcome({
  of: { verified, checks, issuer, issuedHere, training, validUntil },
  given,
}: OutcomeProps): ReactNode {
  const isSigned = checks.some(({ check, outcome }) => check === "proof" && outcome === "passed");
  const claims = given === undefined ? [] : claimsIn(given);
  const whose = issuedHere ? "this platform" : issuer;
  return (
    <section className="stack" aria-label="Outcome" role="status">
      <p>
        <Badge tone={verified ? "good" : "bad"}>{verified ? "it holds" : "it does not hold"}</Badge>{" "}
        {issuer && (isSigned ? `Issued by ${whose}.` : `It names ${whose} as its issuer, and nothing proves that.`)}{" "}
        {training && "Issued in training, where alone it counts."}{" "}
        {validUntil && (
          <>
            It ends <Time at={validUntil} />.
          </>
        )}
      </p>
      {claims.length > 0 && (
        <section aria-label="What it says">
          <h3>{verified ? "What it says" : "What it says, which does not hold"}</h3>
          <ClaimList of={claims} />
        </section>
      )}
      <Table label="Checks" rows={checks} keyOf={({ check }) => check} columns={COLUMNS} empty="Nothing was checked." />
    </section>
  );
}
