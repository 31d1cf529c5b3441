import { useState, type ReactNode } from "react";
import { Field, Form } from "../../parts/form.tsx";
import { registerPasskey } from "../passkeys.ts";
import { sessionChanged } from "../session.tsx";
import { isOwnMachine } from "./own-machine.ts";
import { keepPlace } from "./place.ts";
import { useRecheckOnReturn, Ways } from "./ways.tsx";
import "./sign-in.css";

/** All ways in: passkey, the organisation's provider, password, mailed link, and a new account by passkey. */
export function SignIn(): ReactNode {
  const [isNew, setNew] = useState(false);
  useRecheckOnReturn();
  return (
    <main className="narrow">
      <title>{isNew ? "New account · Signalmesh" : "Sign in · Signalmesh"}</title>
      <header>
        <h1>Signalmesh</h1>
        <p className="muted">Understand a changing world, and act in it together.</p>
      </header>
      <section className="card ways" aria-labelledby="way-in">
        <h2 id="way-in">{isNew ? "A new account" : "Sign in"}</h2>
        {!isNew && location.pathname !== "/" && (
          <p className="muted">The page that you asked for opens when you are signed in.</p>
        )}
        {isNew ? <NewAccount /> : <Ways then={sessionChanged} />}
      </section>
      <p>
        {isNew ? "You have an account?" : "You are new here?"}{" "}
        <button type="button" className="link" onClick={() => setNew(!isNew)}>
          {isNew ? "Sign in" : "Make an account"}
        </button>
      </p>
      {isOwnMachine && (
        <p className="muted">
          It runs for the first time? Where it was started, a link is printed that makes the first administrator.
        </p>
      )}
    </main>
  );
}

/** Opens an account; what the platform would not take, such as an address of another domain, is said at the field. */
function NewAccount(): ReactNode {
  return (
    <>
      <p>
        You open it with a passkey: this device then asks for your finger, your face or its PIN in place of a password.
        A link that is mailed to you confirms the address.
      </p>
      <Form
        act="Make it with a passkey"
        label="A new account"
        onSubmit={async ({ email, name }) => {
          // The link that confirms the address leads back to what was asked for, an invitation, say.
          keepPlace();
          await registerPasskey({ ...(email && { email }), ...(name && { name }) });
          await sessionChanged();
        }}
      >
        <Field label="Email" name="email" type="email" autoComplete="email" required />
        <Field label="Your name, as others read it" name="name" autoComplete="name" maxLength={120} />
      </Form>
    </>
  );
}
