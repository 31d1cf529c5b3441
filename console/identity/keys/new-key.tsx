import { useState, type ReactNode } from "react";
import { useAct } from "../../api/hooks.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, Form, Select, type FormFields } from "../../parts/form.tsx";
import { DOMAINS, scopesInWords, type KeyScope } from "./scopes.ts";
import { Secret } from "./secret.tsx";

const DAY_MS = 86_400_000;
const LASTS = [
  ["90", "90 days"],
  ["30", "30 days"],
  ["365", "a year"],
  ["", "until I revoke it"],
] as const;
const ALL = Object.entries(DOMAINS) as [KeyScope, string][];
/** As many as the API takes beside read or write. */
const MOST_DOMAINS = 19;

const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

/** Makes a key: a name, what it may do in words, how long; then the secret, once. */
export function NewKey({ onClose }: { onClose(): void }): ReactNode {
  const make = useAct("POST /keys", { tellsRefusal: false });
  const [isWriting, setWriting] = useState(false);
  const [domains, setDomains] = useState<readonly KeyScope[]>([]);
  const scopes: KeyScope[] = [isWriting ? "write" : "read", ...domains];
  const submit = ({ name = "", days }: FormFields): Promise<unknown> =>
    make.mutateAsync({
      body: {
        name,
        scopes,
        ...(days && { expiresAt: inDays(Number(days)) }),
      },
    });
  const toggle = (domain: KeyScope): void =>
    setDomains(domains.includes(domain) ? domains.filter((one) => one !== domain) : [...domains, domain]);
  return (
    <Dialog title={make.data ? "Your new key" : "Make a key"} onClose={onClose}>
      {make.data ? (
        <Secret secret={make.data.data.key} onClose={onClose} />
      ) : (
        <Form act="Make the key" onSubmit={submit}>
          <Field label="Name" name="name" maxLength={120} hint="The program that will use it." required />
          <fieldset>
            <legend>What it may do</legend>
            <label className="row">
              <input type="radio" name="does" value="read" checked={!isWriting} onChange={() => setWriting(false)} />
              Read only
            </label>
            <label className="row">
              <input type="radio" name="does" value="write" checked={isWriting} onChange={() => setWriting(true)} />
              Read and change
            </label>
          </fieldset>
          <details>
            <summary>Only in some parts of the platform</summary>
            <fieldset>
              <legend>Parts (up to {MOST_DOMAINS})</legend>
              <div className="choices">
                {ALL.map(([domain, words]) => (
                  <label key={domain} className="row">
                    <input
                      type="checkbox"
                      checked={domains.includes(domain)}
                      disabled={domains.length >= MOST_DOMAINS && !domains.includes(domain)}
                      onChange={() => toggle(domain)}
                    />
                    {words}
                  </label>
                ))}
              </div>
            </fieldset>
          </details>
          <Select label="It lasts" name="days" options={LASTS} />
          <p role="status" className="muted">
            {scopesInWords(scopes)}, and nothing that you may not do yourself.
          </p>
        </Form>
      )}
    </Dialog>
  );
}
