import { useEffect, useState, type ReactNode } from "react";
import { ask } from "../../api/client.ts";
import { wordsOf } from "../../api/hooks.ts";
import { Field, Form, type FormFields } from "../../parts/form.tsx";
import { signInByPasskey } from "../passkeys.ts";
import { recheckSession } from "../session.tsx";
import { keepPlace } from "./place.ts";

/** The gateway says in the page which ways there are beside those of every platform. */
const hasProvider = document.querySelector("meta[name=signalmesh-oidc]") !== null;

/** Looks who is signed in when the person comes back to this tab: they may have followed a link in another one. */
export function useRecheckOnReturn(): void {
  useEffect(() => {
    const look = (): void => void recheckSession();
    addEventListener("focus", look);
    return () => removeEventListener("focus", look);
  }, []);
}

/** Runs something at the press of a button, and says in words why it failed. */
function Pressed({
  run,
  isFirst = false,
  children,
}: {
  run(): Promise<unknown>;
  isFirst?: boolean;
  children: ReactNode;
}): ReactNode {
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  async function press(): Promise<void> {
    setError(undefined);
    setBusy(true);
    await run().catch((failure: unknown) => setError(wordsOf(failure)));
    setBusy(false);
  }
  return (
    <>
      <button
        type="button"
        className={isFirst ? "primary wide" : "wide"}
        disabled={isBusy}
        onClick={() => void press()}
      >
        {children}
      </button>
      {error && (
        <p className="fault" role="alert">
          {error}
        </p>
      )}
    </>
  );
}

/** Goes to the organisation's provider, which sends the browser back to /oidc; that page knows what was begun here. */
async function toProvider(): Promise<void> {
  const { data } = await ask("POST /auth/oidc");
  sessionStorage.setItem("oidc", data.browser);
  keepPlace();
  location.assign(data.url);
}

interface WaysProps {
  /** Whose session it was, where that is known. */
  email?: string | undefined;
  /** What follows a sign-in on this page. */
  then(): Promise<void>;
}

/** Every way in for somebody who has an account. */
export function Ways({ email, then }: WaysProps): ReactNode {
  return (
    <>
      <Pressed isFirst run={() => signInByPasskey().then(then)}>
        Sign in with a passkey
      </Pressed>
      {hasProvider && <Pressed run={toProvider}>Sign in with your organisation</Pressed>}
      <p className="or">or</p>
      <WithAddress email={email} then={then} />
    </>
  );
}

/** With a password; or with a mailed link, which needs the address alone. */
function WithAddress({ email: known, then }: WaysProps): ReactNode {
  const [told, setTold] = useState<string>();
  async function signIn({ email = "", password, way }: FormFields): Promise<void> {
    setTold(undefined);
    if (way) {
      await ask(way === "recovery" ? "POST /auth/recovery" : "POST /auth/magic-link", { body: { email } });
      keepPlace();
      return setTold(`If ${email} has an account, a letter is on its way there. Its link is good for 15 minutes.`);
    }
    if (!password) throw new Error("Type your password, or have a link mailed to you.");
    await ask("POST /auth/login", { body: { email, password, session: "only" } });
    await then();
  }
  return (
    <>
      <Form
        act="Sign in"
        label="With your address"
        onSubmit={signIn}
        beside={
          <>
            <button name="way" value="magic-link">
              Mail me a link instead
            </button>
            <button name="way" value="recovery" className="link">
              I lost my passkey
            </button>
          </>
        }
      >
        <Field label="Email" name="email" type="email" autoComplete="username" defaultValue={known} required />
        <Field label="Password" name="password" type="password" autoComplete="current-password" />
      </Form>
      <p role="status">{told}</p>
    </>
  );
}
