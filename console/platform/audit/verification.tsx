import type { ReactNode } from "react";
import { addressOf, type Data } from "../../api/client.ts";
import { useAct } from "../../api/hooks.ts";
import { Section } from "../../parts/page.tsx";
import { Badge, many, Progress } from "../../parts/texts.tsx";

type Verdict = Data<"GET /audit/verify">;

/** Whether the log is as it was written: the whole of it is read, so that somebody must ask for it. */
export function Verification(): ReactNode {
  const verify = useAct("GET /audit/verify");
  return (
    <Section
      title="Is it as it was written?"
      acts={
        <>
          <button type="button" disabled={verify.isPending} onClick={() => verify.mutate({})}>
            Verify the log
          </button>
          <a className="button" href={addressOf("GET /audit/checkpoint")} download="audit-checkpoint.json">
            Signed checkpoint
          </a>
        </>
      }
    >
      {verify.isPending ? (
        <Progress label="Every entry is read, and its hash computed again" />
      ) : verify.data ? (
        <Outcome of={verify.data.data} />
      ) : (
        <p className="muted">
          Each entry carries the hash of the one before. Verifying shows entries that were changed, removed or put in.
          Keep signed checkpoints somewhere else: they also show whether the end was cut off.
        </p>
      )}
    </Section>
  );
}

const Outcome = ({ of: { ok, entries, chains, faults } }: { of: Verdict }): ReactNode => (
  <div role="status">
    <p>
      <Badge tone={ok ? "good" : "bad"}>{ok ? "unchanged" : "tampered with"}</Badge> {many(entries, "entry", "entries")}{" "}
      in {many(chains, "chain")} {ok ? "hold together." : `do not hold together in ${many(faults.length, "place")}:`}
    </p>
    {!ok && (
      <ul>
        {faults.map(({ chain, seq, what }) => (
          <li key={`${chain} ${seq} ${what}`}>
            Entry {seq} of {chain}: {what}
          </li>
        ))}
      </ul>
    )}
  </div>
);
