import { useState, type ReactNode } from "react";
import { Link } from "react-router";
import { ask } from "../api/client.ts";
import { useAnswer } from "../api/hooks.ts";
import { usePendingProof, type PendingProof } from "../api/proof.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Field, Form } from "../parts/form.tsx";
import { givePasskey } from "./passkeys.ts";
import { cameBack, useSession } from "./session.tsx";

/** The dialog that asks for the proof. */
export function StepUp(): ReactNode {
  const pending = usePendingProof();
  return pending ? <Proof {...pending} /> : null;
}

function Proof({ proved, givenUp }: PendingProof): ReactNode {
  const { who } = useSession();
  const [error, setError] = useState<string>();
  const ways = useAnswer("GET /auth/authenticators").data?.data;
  /**
   * The session has a new secret. The act is given up where somebody else has signed in meanwhile, in another tab: they
   * did not ask for it.
   */
  async function goOn(): Promise<void> {
    await cameBack();
    proved();
  }
  async function byPasskey(): Promise<void> {
    try {
      const { data } = await ask("POST /auth/step-up");
      await ask("POST /auth/step-up/verify", { body: await givePasskey(data) });
      await goOn();
    } catch (failure) {
      setError((failure as Error).message);
    }
  }
  return (
    <Dialog title="Prove that it is you" onClose={givenUp}>
      <p>What you are about to do needs a proof that is at most five minutes old.</p>
      {ways && !ways.passkeys.length && !ways.password && (
        <p>
          Your account has neither a passkey nor a password yet.{" "}
          <Link to="/identity/sign-in" onClick={givenUp}>
            Add a passkey
          </Link>
          , then do this again.
        </p>
      )}
      {(!ways || ways.passkeys.length > 0) && (
        <button type="button" className="primary" onClick={() => void byPasskey()}>
          Use my passkey
        </button>
      )}
      {error && (
        <p className="fault" role="alert">
          {error}
        </p>
      )}
      {(!ways || ways.password) && (
        <details>
          <summary>Use my password instead</summary>
          <Form
            act="Confirm"
            onSubmit={async ({ password = "" }) => {
              await ask("POST /auth/login", { body: { email: who?.user?.email ?? "", password, session: "only" } });
              await goOn();
            }}
          >
            <Field label="Password" name="password" type="password" autoComplete="current-password" required />
          </Form>
        </details>
      )}
    </Dialog>
  );
}
