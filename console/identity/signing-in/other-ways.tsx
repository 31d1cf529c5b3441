import { useState, type ReactNode } from "react";
import { Link } from "react-router";
import type { Data } from "../../api/client.ts";
import { useAct } from "../../api/hooks.ts";
import { useWho } from "../../app/session.tsx";
import { Confirm, Dialog } from "../../parts/dialog.tsx";
import { Field, Form } from "../../parts/form.tsx";
import { Section } from "../../parts/page.tsx";
import { many } from "../../parts/texts.tsx";

type Means = Data<"GET /auth/authenticators">;
type Asked = "password" | "remove-password" | "remove-provider" | "only";

/** What lets into the account beside passkeys: password, organisation, mailed links, API keys. */
export function OtherWays({ means }: { means: Means }): ReactNode {
  const { user } = useWho();
  const [asks, setAsks] = useState<Asked>();
  const close = (): void => setAsks(undefined);
  return (
    <Section title="Other ways in">
      <ul className="list">
        <li className="row between">
          <span>
            <strong>Password:</strong> {means.password ? "set" : "none; sign in by passkey, or by a mailed link"}
          </span>
          {means.password && (
            <span className="row">
              <button type="button" onClick={() => setAsks("password")}>
                Change password
              </button>
              <button type="button" onClick={() => setAsks("remove-password")}>
                Remove password
              </button>
            </span>
          )}
        </li>
        {means.provider && (
          <li className="row between">
            <span>
              <strong>Your organisation:</strong> signs you in
            </span>
            <button type="button" onClick={() => setAsks("remove-provider")}>
              Remove organisation
            </button>
          </li>
        )}
        <li>
          <strong>Mail:</strong>{" "}
          {means.mail ? `a link sent to ${user?.email} signs in, and recovers the account` : "no address is confirmed"}
        </li>
        <li>
          <strong>API keys:</strong> {means.keys.length ? many(means.keys.length, "key") : "none"}; they act for you in
          programs. <Link to="/identity/keys">See them</Link>
        </li>
      </ul>
      {means.passkeys.length > 0 && (
        <div>
          <button type="button" className="danger" onClick={() => setAsks("only")}>
            Somebody else got in: keep one passkey only
          </button>
        </div>
      )}
      {asks === "password" && <ChangePassword onClose={close} />}
      {asks === "remove-password" && <RemoveWay which="password" onClose={close} />}
      {asks === "remove-provider" && <RemoveWay which="provider" onClose={close} />}
      {asks === "only" && <KeepOne passkeys={means.passkeys} onClose={close} />}
    </Section>
  );
}

function ChangePassword({ onClose }: { onClose(): void }): ReactNode {
  const { user } = useWho();
  const change = useAct("PUT /auth/password", {
    tellsRefusal: false,
    says: "The password is changed. All your other sessions have ended.",
    then: onClose,
  });
  return (
    <Dialog title="Change your password" onClose={onClose}>
      <p className="muted">Every other session and token ends: only this browser stays signed in.</p>
      <Form
        act="Change password"
        onSubmit={({ current = "", password = "" }) => change.mutateAsync({ body: { current, password } })}
      >
        <input type="hidden" name="username" autoComplete="username" value={user?.email ?? ""} readOnly />
        <Field label="Present password" name="current" type="password" autoComplete="current-password" required />
        <Field
          label="New password"
          name="password"
          type="password"
          autoComplete="new-password"
          minLength={10}
          hint="At least 10 signs. A sentence of your own is best: known and easily guessed ones are refused."
          required
        />
      </Form>
    </Dialog>
  );
}

function RemoveWay({ which, onClose }: { which: "password" | "provider"; onClose(): void }): ReactNode {
  const words = which === "password" ? "the password" : "signing in through your organisation";
  const remove = useAct("DELETE /auth/authenticators/{which}", { says: "It is removed.", then: onClose });
  return (
    <Confirm
      title={`Remove ${words}?`}
      act="Remove"
      isBusy={remove.isPending}
      onClose={onClose}
      onConfirm={() => remove.mutate({ path: { which } })}
    >
      <p>It no longer lets you in, and sessions begun with it end: this one too, if it was.</p>
    </Confirm>
  );
}

function KeepOne({ passkeys, onClose }: { passkeys: Means["passkeys"]; onClose(): void }): ReactNode {
  const [keep, setKeep] = useState(passkeys[0]!.id);
  const end = useAct("DELETE /auth/authenticators", {
    says: "Every other way into your account is closed.",
    then: onClose,
  });
  return (
    <Confirm
      title="Keep one passkey, close every other way in?"
      act="Close all others"
      isBusy={end.isPending}
      onClose={onClose}
      onConfirm={() => end.mutate({ query: { keep } })}
    >
      <p>
        The password, your organisation, all other passkeys, all API keys and all other sessions are removed. Programs
        that use your keys stop working. Your address stays, and can recover the account.
      </p>
      <fieldset>
        <legend>The passkey that stays</legend>
        {passkeys.map(({ id, name }) => (
          <label key={id} className="row">
            <input type="radio" name="keep" checked={keep === id} onChange={() => setKeep(id)} />
            {name}
          </label>
        ))}
      </fieldset>
    </Confirm>
  );
}
