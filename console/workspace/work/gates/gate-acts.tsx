import { useState, type ReactNode } from "react";
import { useAct, useAnswer } from "../../../api/hooks.ts";
import { Dialog } from "../../../parts/dialog.tsx";
import { Form, TextField } from "../../../parts/form.tsx";
import { useSet } from "../../set/use-set.tsx";
import { ChangeGate } from "./gate-form.tsx";
import { whyNot, type Gate } from "./gate-words.ts";

interface GateDeed {
  /** On the button. */
  verb: string;
  /** What it does, in the dialog. */
  does: string;
  /** The text that is asked for: its name in the body, and what it is called. */
  field: "note" | "reason" | "justification";
  label: string;
  isRequired?: true;
  says: string;
}
const DEEDS: Readonly<Record<string, GateDeed>> = {
  submit: {
    verb: "Submit",
    does: "It is put up for a decision. Somebody else decides: not you.",
    field: "note",
    label: "What whoever decides should know",
    says: "It waits for a decision now.",
  },
  approve: {
    verb: "Approve",
    does: "What the gate guards may go on. Your name and note stay in its history.",
    field: "note",
    label: "Note",
    says: "The gate is approved.",
  },
  reject: {
    verb: "Reject",
    does: "What the gate guards stays held back, until it is submitted again.",
    field: "reason",
    label: "What is missing",
    isRequired: true,
    says: "The gate is rejected.",
  },
  override: {
    verb: "Override",
    does: "It passes without approval. You answer for it with your name and this justification.",
    field: "justification",
    label: "Justification",
    isRequired: true,
    says: "The gate is overridden.",
  },
  escalate: {
    verb: "Pass up",
    does: "The problem set above decides, and what it decides holds here.",
    field: "reason",
    label: "Why they should decide",
    says: "The decision is passed up.",
  },
  reopen: {
    verb: "Take back",
    does: "It is open again, and holds back again what has not gone on already.",
    field: "reason",
    label: "Why",
    isRequired: true,
    says: "It is taken back.",
  },
};
/** What somebody may read anyway is told only where it concerns them: an act that its state rules out is no news. */
const isAboutPerson = (why: string): boolean => !why.startsWith("The gate is ");

/** What this person may do with a gate, and in words why not the rest. */
export function GateActs({ gate }: { gate: Gate }): ReactNode {
  const { set } = useSet();
  const [asked, setAsked] = useState<string>();
  const mine = useAnswer("GET /gates/{gateId}/permissions/{userRole}", [
    { path: { gateId: gate.id, userRole: "mine" } },
  ]);
  if (!mine.data) return null;
  if (set.status === "archived") return <p className="muted">The problem set is archived: nothing is decided here.</p>;
  const { acts } = mine.data.data;
  const [may, mayNot] = [
    // Whether there is a set above is no matter of the gate's state.
    Object.keys(DEEDS).filter((act) => acts[act]?.allowed && (act !== "escalate" || set.parentId)),
    Object.keys(DEEDS).filter((act) => acts[act] && !acts[act].allowed && isAboutPerson(acts[act].why)),
  ];
  const close = (): void => setAsked(undefined);
  return (
    <>
      <div className="row">
        {may.map((act) => (
          <button
            key={act}
            type="button"
            className={act === "approve" || act === "submit" ? "primary" : act === "override" ? "danger" : undefined}
            onClick={() => setAsked(act)}
          >
            {DEEDS[act]!.verb}
          </button>
        ))}
        {acts["configure"]?.allowed && (
          <button type="button" onClick={() => setAsked("configure")}>
            {gate.status === "expired" ? "Open again with another deadline" : "Change"}
          </button>
        )}
      </div>
      {!may.length && <p className="muted">There is nothing for you to do here now.</p>}
      {mayNot.length > 0 && (
        <ul className="why-not">
          {mayNot.map((act) => (
            <li key={act}>
              You cannot {DEEDS[act]!.verb.toLowerCase()}: <span className="muted">{whyNot(acts[act]!.why)}</span>
            </li>
          ))}
        </ul>
      )}
      {asked === "configure" && <ChangeGate gate={gate} onClose={close} />}
      {asked && asked !== "configure" && <ActDialog gate={gate} act={asked} onClose={close} />}
    </>
  );
}

function ActDialog({ gate, act, onClose }: { gate: Gate; act: string; onClose(): void }): ReactNode {
  const { verb, does, field, label, isRequired, says } = DEEDS[act]!;
  // All of them take the gate's id and a text; only the text's name differs.
  const done = useAct(`POST /gates/{gateId}/${act}` as "POST /gates/{gateId}/submit", {
    tellsRefusal: false,
    says,
    then: onClose,
  });
  return (
    <Dialog title={`${verb}: ${gate.name}`} onClose={onClose}>
      <p>{does}</p>
      <Form
        act={verb}
        onSubmit={(fields) =>
          done.mutateAsync({ path: { gateId: gate.id }, body: fields[field] ? { [field]: fields[field] } : {} })
        }
      >
        <TextField label={isRequired ? label : `${label} (optional)`} name={field} required={isRequired} />
      </Form>
    </Dialog>
  );
}
