import { useState, type ReactNode } from "react";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { Check, Form, TextField } from "../../parts/form.tsx";
import { Section, Shown } from "../../parts/page.tsx";
import { AdminPage } from "../frame.tsx";

const MOST = 100;

/** Which addresses may open an account by themselves. */
export function Who(): ReactNode {
  const domains = useAnswer("GET /admin/config/email-domains", [{ query: { limit: MOST } }]);
  const blocked = useAnswer("GET /admin/config/blocked-emails", [{ query: { limit: MOST } }]);
  const setDomains = useAct("PUT /admin/config/email-domains", { tellsRefusal: false, says: "The domains are saved." });
  const setBlocked = useAct("PUT /admin/config/blocked-emails", { tellsRefusal: false, says: "The list is saved." });
  return (
    <AdminPage
      title="Who may register"
      intro="Anybody can open an account with an address that these lists admit. Accounts that an administrator makes are not held to them."
    >
      <div className="columns">
        <Section title="Mail domains that are admitted">
          <Shown of={domains}>
            {({ data, meta }) => (
              <Lines
                key={String(data.length)}
                label="Domains"
                lines={data}
                total={meta.total}
                none="None is named: every domain is admitted."
                hint="One a line, such as example.org. With none, every domain is admitted."
                save={(lines, force) => setDomains.mutateAsync({ query: { force }, body: { domains: lines } })}
              />
            )}
          </Shown>
        </Section>
        <Section title="Addresses that are kept out">
          <Shown of={blocked}>
            {({ data, meta }) => (
              <Lines
                key={String(data.length)}
                label="Addresses and domains"
                lines={data}
                total={meta.total}
                none="Nobody is kept out."
                hint="One a line: an address, or a whole domain. Accounts that are there already stay."
                save={(lines, force) => setBlocked.mutateAsync({ query: { force }, body: { emails: lines } })}
              />
            )}
          </Shown>
        </Section>
      </div>
    </AdminPage>
  );
}

interface LinesProps {
  label: string;
  lines: readonly { value: string; fromEnvironment: boolean }[];
  total: number;
  none: string;
  hint: string;
  save(lines: string[], force: boolean): Promise<unknown>;
}

function Lines({ label, lines, total, none, hint, save }: LinesProps): ReactNode {
  const [isOwnShutOut, setOwnShutOut] = useState(false);
  const fixed = lines.filter(({ fromEnvironment }) => fromEnvironment).map(({ value }) => value);
  const own = lines.filter(({ fromEnvironment }) => !fromEnvironment).map(({ value }) => value);
  // A save names the whole list: what is not shown would be lost.
  if (total > lines.length)
    return <p className="empty">There are {total}, too many to edit here. Use the API: PUT /api/admin/config.</p>;
  return (
    <>
      {!lines.length && <p className="empty">{none}</p>}
      {fixed.length > 0 && (
        <p className="muted">Set where the platform is started, and changed only there: {fixed.join(", ")}.</p>
      )}
      <Form
        act="Save"
        label={label}
        onSubmit={async (fields) => {
          const typed = (fields["lines"] ?? "").split(/[\s,;]+/).filter(Boolean);
          try {
            await save([...fixed, ...typed], fields["force"] === "on");
          } catch (error) {
            setOwnShutOut(true);
            throw error;
          }
        }}
      >
        <TextField label={label} name="lines" rows={6} defaultValue={own.join("\n")} hint={hint} />
        {isOwnShutOut && <Check label="Save it even if it shuts out my own address" name="force" />}
      </Form>
    </>
  );
}
