import { useState, type ReactNode } from "react";
import { useAct } from "../../api/hooks.ts";
import { Confirm } from "../../parts/dialog.tsx";
import { Field, Form } from "../../parts/form.tsx";
import { notify } from "../../parts/notices.tsx";
import { recheckSession, sessionChanged, type Who } from "../session.tsx";
import { isOwnMachine } from "./own-machine.ts";
import { useRecheckOnReturn } from "./ways.tsx";

/** An account whose address is not confirmed yet: what to do, and the few things that it may do. */
export function Waiting({ who }: { who: Who }): ReactNode {
  const leave = useAct("POST /auth/logout", { then: () => void sessionChanged() });
  const claimed = who.user?.claimedEmail;
  // Whoever follows the link in another tab comes back to an open console.
  useRecheckOnReturn();
  return (
    <main className="narrow">
      <title>Confirm your address · Signalmesh</title>
      <h1>One step left</h1>
      {claimed ? <Mailed address={claimed} /> : <GiveAddress />}
      <p>
        <button type="button" onClick={() => leave.mutate({})}>
          Sign out
        </button>
      </p>
    </main>
  );
}

function Mailed({ address }: { address: string }): ReactNode {
  const mail = useAct("POST /auth/email", { says: "The link is on its way again." });
  const [isWrong, setWrong] = useState(false);
  async function look(): Promise<void> {
    if ((await recheckSession())?.waits) notify("The platform has not seen the link followed yet.", "bad");
  }
  return (
    <>
      <p>
        A letter is on its way to <strong>{address}</strong>. Follow the link in it: this shows that the address is
        yours. Until then you can see yourself and leave, and nothing else.
      </p>
      {isOwnMachine && (
        <p className="muted">Without a mail server, letters stand in the log of the platform, where it was started.</p>
      )}
      <div className="row">
        <button type="button" className="primary" onClick={() => void look()}>
          I have followed it
        </button>
        <button type="button" disabled={mail.isPending} onClick={() => mail.mutate({ body: {} })}>
          Mail it again
        </button>
        <button type="button" className="link" onClick={() => setWrong(true)}>
          The address is wrong
        </button>
      </div>
      {isWrong && <StartOver address={address} onClose={() => setWrong(false)} />}
    </>
  );
}

/** An account keeps the address that it was opened with, so that a wrong one is left with its account. */
function StartOver({ address, onClose }: { address: string; onClose(): void }): ReactNode {
  const close = useAct("POST /user-profile/erasure", {
    then: () => void sessionChanged("The account is closed. Make another one with the right address."),
  });
  return (
    <Confirm
      title="Start over with another address"
      act="Close this account"
      isBusy={close.isPending}
      onClose={onClose}
      onConfirm={() => close.mutate({ body: { email: address } })}
    >
      <p>
        An account keeps the address that it was opened with. Close this one, which holds nothing yet, and make another.
      </p>
    </Confirm>
  );
}

/** Some providers vouch for a person without telling an address. */
function GiveAddress(): ReactNode {
  const mail = useAct("POST /auth/email", {
    tellsRefusal: false,
    says: "A letter is on its way there.",
    then: () => void recheckSession(),
  });
  return (
    <>
      <p>The platform has no address of yours yet. Give one, and follow the link that is mailed there.</p>
      <Form act="Mail me the link" onSubmit={({ email }) => mail.mutateAsync({ body: { ...(email && { email }) } })}>
        <Field label="Your address" name="email" type="email" autoComplete="email" required />
      </Form>
    </>
  );
}
