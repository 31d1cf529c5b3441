import { useState, type ReactNode } from "react";
import { addressOf } from "../api/client.ts";
import { useAct } from "../api/hooks.ts";
import { sessionChanged, useWho } from "../app/session.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Field, Form } from "../parts/form.tsx";
import { Section } from "../parts/page.tsx";
import { AccountPage } from "./frame.tsx";

/** What the platform holds about a person: theirs to take along, and to have erased. */
export function Leaving(): ReactNode {
  const [isClosing, setClosing] = useState(false);
  return (
    <AccountPage
      title="Your data"
      intro="What the platform holds about you is yours to take along, and to have erased."
    >
      <Section title="Take it along">
        <p>
          One file (JSON) with everything that the platform holds about you, from every part of it. What lies in a
          compartment that you are no longer read into is not in it; nor are passwords and other secrets.
        </p>
        <div>
          <a className="button" href={addressOf("GET /user-profile/export")} download="signalmesh-personal-data.json">
            Download my data
          </a>
        </div>
      </Section>
      <section className="card danger-zone" aria-label="Close the account">
        <h2>Close the account</h2>
        <p>For good: your account closes at once, and everything personal is erased.</p>
        <div>
          <button type="button" className="danger" onClick={() => setClosing(true)}>
            Close my account
          </button>
        </div>
      </section>
      {isClosing && <CloseAccount onClose={() => setClosing(false)} />}
    </AccountPage>
  );
}

function CloseAccount({ onClose }: { onClose(): void }): ReactNode {
  const { user } = useWho();
  const erase = useAct("POST /user-profile/erasure", {
    tellsRefusal: false,
    then: () => void sessionChanged("Your account is closed. What is personal is being erased."),
  });
  return (
    <Dialog title="Close your account for good?" onClose={onClose}>
      <ul>
        <li>You are signed out everywhere, and can never sign in to this account again. API keys stop working.</li>
        <li>Your profile, picture, passkeys, keys, subscriptions and notifications are removed from every part.</li>
        <li>
          You are a member of your problem sets no longer. Where you are the last commander, name another one first.
        </li>
        <li>
          What you did in shared work stays, under a number that leads to nobody. The audit log keeps that something was
          done, not by whom.
        </li>
        <li>
          <strong>This cannot be undone.</strong> Download your data first, if you want it.
        </li>
      </ul>
      <Form
        act="Close and erase"
        label="Close the account"
        onSubmit={({ email = "" }) => erase.mutateAsync({ body: { email } })}
      >
        <Field
          label={`Type ${user?.email ?? "your address"} to confirm`}
          name="email"
          type="email"
          autoComplete="off"
          required
        />
      </Form>
    </Dialog>
  );
}
