import { useState, type ReactNode } from "react";
import { useSyncExternalStore } from "react";
import { ask, Refusal } from "../api/client.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Field, Form } from "../parts/form.tsx";
import { givePasskey } from "./passkeys.ts";
import { signedInAgain, useSession } from "./session.tsx";

/** Somebody's act waits until they have proved who they are, or have given it up. */
interface Pending {
  proved(): void;
  givenUp(): void;
}
let pending: Pending | undefined;
const watchers = new Set<() => void>();
function set(next: Pending | undefined): void {
  pending = next;
  watchers.forEach((tell) => tell());
}

const prove = (): Promise<void> =>
  new Promise((resolve, reject) => {
    pending?.givenUp();
    set({
      proved() {
        set(undefined);
        resolve();
      },
      givenUp() {
        set(undefined);
        reject(new Error("This act needs a fresh proof of who you are."));
      },
    });
  });

/**
 * Runs an act; where the API wants a fresh proof of the person, or their session has ended, asks for it and runs the
 * act again.
 */
export async function proveFirst<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code === "STEP_UP_REQUIRED") await prove();
    else if (error.status === 401 && error.code === "UNAUTHENTICATED") await signedInAgain();
    else throw error;
    return act();
  }
}

/** The dialog that asks for the proof. */
export function StepUp(): ReactNode {
  const asked = useSyncExternalStore(
    (tell) => {
      watchers.add(tell);
      return () => watchers.delete(tell);
    },
    () => pending,
  );
  return asked ? <Proof {...asked} /> : null;
}

function Proof({ proved, givenUp }: Pending): ReactNode {
  const { who } = useSession();
  const [error, setError] = useState<string>();
  async function byPasskey(): Promise<void> {
    try {
      const { data } = await ask("POST /auth/step-up");
      await ask("POST /auth/step-up/verify", { body: await givePasskey(data) });
      proved();
    } catch (failure) {
      setError((failure as Error).message);
    }
  }
  return (
    <Dialog title="Prove that it is you" onClose={givenUp}>
      <p>What you are about to do needs a proof that is at most five minutes old.</p>
      <button type="button" className="primary" onClick={() => void byPasskey()}>
        Use my passkey
      </button>
      {error && (
        <p className="fault" role="alert">
          {error}
        </p>
      )}
      <details>
        <summary>Use my password instead</summary>
        <Form
          act="Confirm"
          onSubmit={async ({ password = "" }) => {
            await ask("POST /auth/login", { body: { email: who?.user?.email ?? "", password, session: true } });
            proved();
          }}
        >
          <Field label="Password" name="password" type="password" autoComplete="current-password" required />
        </Form>
      </details>
    </Dialog>
  );
}
