import { useState, type ReactNode } from "react";
import { useAct } from "../../api/hooks.ts";
import { ConfirmButton, Dialog } from "../../parts/dialog.tsx";
import { Field, Form } from "../../parts/form.tsx";
import { inPlace, type PicturePlace } from "../place.tsx";

/** Lets live layers follow what they show, or stand still. */
export function TurnWatch({ place, isOn }: { place: PicturePlace; isOn: boolean }): ReactNode {
  const [isAsking, setAsking] = useState(false);
  const start = useAct("POST /cop/agents/polling/start", { says: "Live layers follow their sources now." });
  return (
    <>
      {isOn ? (
        <button type="button" onClick={() => setAsking(true)}>
          Let them stand still
        </button>
      ) : (
        <button
          type="button"
          className="primary"
          disabled={start.isPending}
          onClick={() => start.mutate({ body: inPlace(place) })}
        >
          Let them follow
        </button>
      )}
      {isAsking && <StopDialog place={place} onClose={() => setAsking(false)} />}
    </>
  );
}

function StopDialog({ place, onClose }: { place: PicturePlace; onClose(): void }): ReactNode {
  const stop = useAct("POST /cop/agents/polling/stop", {
    tellsRefusal: false,
    says: "Live layers stand still.",
    then: onClose,
  });
  return (
    <Dialog title="Let live layers stand still?" onClose={onClose}>
      <p>The map of everybody shows them as they are now, until somebody lets them follow again.</p>
      <Form
        act="Let them stand still"
        onSubmit={({ reason }) => stop.mutateAsync({ body: { ...inPlace(place), ...(reason && { reason }) } })}
      >
        <Field label="Why (optional)" name="reason" minLength={3} maxLength={400} />
      </Form>
    </Dialog>
  );
}

/** Has all live layers made anew, whatever changed. */
export function MakeAnew({ place, onJob }: { place: PicturePlace; onJob(id: string): void }): ReactNode {
  const trigger = useAct("POST /cop/agents/trigger", { then: ({ data }) => onJob(data.jobId) });
  return (
    <ConfirmButton
      words="Make all anew now"
      title="Make all live layers anew?"
      act="Make them anew"
      run={() => trigger.mutateAsync({ body: inPlace(place) })}
    >
      <p>They are read from what they follow, all of it. What was drawn by hand stays.</p>
    </ConfirmButton>
  );
}
