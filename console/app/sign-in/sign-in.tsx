import { useState, type ReactNode } from "react";
import { ask } from "../../api/client.ts";
import { wordsOf } from "../../api/hooks.ts";
import { Field, Form } from "../../parts/form.tsx";
import { registerPasskey, signInByPasskey } from "../passkeys.ts";
import { sessionChanged } from "../session.tsx";

/** The gateway says in the page which ways there are beside those of every platform. */
const hasProvider = document.querySelector("meta[name=signalmesh-oidc]") !== null;

/** All ways in: passkey, password, mailed link, the organisation's provider, and a new account by passkey. */
export function SignIn(): ReactNode {
  const [isNew, setNew] = useState(false);
  return (
    <main className="narrow">
      <title>Sign in · Signalmesh</title>
      <h1>Signalmesh</h1>
      <p className="muted">Understand a changing world, and act in it together.</p>
      {isNew ? <NewAccount /> : <KnownAccount />}
      <p>
        <button type="button" className="link" onClick={() => setNew(!isNew)}>
          {isNew ? "I have an account" : "Make an account"}
        </button>
      </p>
    </main>
  );
}

/** A button that starts a ceremony of the browser, and says why it failed. */
function PasskeyButton({ run, children }: { run(): Promise<unknown>; children: ReactNode }): ReactNode {
  const [error, setError] = useState<string>();
  const act = async (): Promise<void> => {
    setError(undefined);
    try {
      await run();
      await sessionChanged();
    } catch (failure) {
      setError(wordsOf(failure));
    }
  };
  return (
    <>
      <button type="button" className="primary wide" onClick={() => void act()}>
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

function KnownAccount(): ReactNode {
  const [told, setTold] = useState<string>();
  return (
    <>
      <PasskeyButton run={signInByPasskey}>Sign in with a passkey</PasskeyButton>
      {hasProvider && (
        <a className="button wide" href="/oidc">
          Sign in with your organisation
        </a>
      )}
      <section className="card" aria-label="Password">
        <h2>With a password</h2>
        <Form
          act="Sign in"
          onSubmit={async ({ email = "", password = "" }) => {
            await ask("POST /auth/login", { body: { email, password, session: true } });
            await sessionChanged();
          }}
        >
          <Field label="Email" name="email" type="email" autoComplete="username" required />
          <Field label="Password" name="password" type="password" autoComplete="current-password" required />
        </Form>
      </section>
      <section className="card" aria-label="Mailed link">
        <h2>With a link</h2>
        <Form
          act="Mail me a link"
          onSubmit={async ({ address = "" }) => {
            await ask("POST /auth/magic-link", { body: { email: address } });
            setTold("If that address has an account, a link was mailed to it. It is good for 15 minutes.");
          }}
        >
          <Field label="Address for the link" name="address" type="email" autoComplete="email" required />
        </Form>
        {told && <p role="status">{told}</p>}
      </section>
    </>
  );
}

function NewAccount(): ReactNode {
  const [fields, setFields] = useState({ email: "", name: "" });
  const change = (name: keyof typeof fields) => (event: { currentTarget: { value: string } }) =>
    setFields({ ...fields, [name]: event.currentTarget.value });
  return (
    <section className="card" aria-label="A new account">
      <h2>A new account</h2>
      <p>It is opened with a passkey of this device. A link that is mailed to you confirms the address.</p>
      <Field
        label="Email"
        name="email"
        type="email"
        autoComplete="email"
        required
        value={fields.email}
        onChange={change("email")}
      />
      <Field
        label="Your name, as others read it"
        name="name"
        autoComplete="name"
        maxLength={120}
        value={fields.name}
        onChange={change("name")}
      />
      <PasskeyButton run={() => registerPasskey({ email: fields.email, ...(fields.name && { name: fields.name }) })}>
        Make it with a passkey
      </PasskeyButton>
    </section>
  );
}
