import type { ReactNode } from "react";
import { NavLink, useParams } from "react-router";
import { NotFound } from "../../app/shell.tsx";
import { useAnswer } from "../../api/hooks.ts";
import { Section, Shown } from "../../parts/page.tsx";
import { Time } from "../../parts/texts.tsx";
import { AdminPage } from "../frame.tsx";
import { CONFIGURATIONS, type SettingsName } from "./fields.ts";
import { History } from "./history.tsx";
import { SettingsForm } from "./settings-form.tsx";

/** What administrators set while the platform runs; it holds on all nodes within a second, without a restart. */
export function Settings(): ReactNode {
  const { name = "llm" } = useParams();
  if (!Object.hasOwn(CONFIGURATIONS, name)) return <NotFound />;
  return <SettingsOf key={name} name={name as SettingsName} />;
}

function SettingsOf({ name }: { name: SettingsName }): ReactNode {
  const { title, intro } = CONFIGURATIONS[name];
  const configuration = useAnswer(`GET /admin/config/${name}`);
  return (
    <AdminPage
      title={title}
      intro={`${intro} What you save holds on all nodes within a second; work under way ends as it began.`}
    >
      <nav className="row settings-choice" aria-label="Settings">
        {Object.entries(CONFIGURATIONS).map(([to, of]) => (
          <NavLink
            key={to}
            to={`/platform/settings/${to}`}
            className="button"
            aria-current={to === name ? "page" : undefined}
          >
            {of.title}
          </NavLink>
        ))}
      </nav>
      <Shown of={configuration}>
        {({ data }) => (
          <>
            <Section title="What holds">
              <p className="muted">
                {data.version === 0 ? (
                  "Nothing was ever set here: everything is as where the platform is started."
                ) : (
                  <>
                    Version {data.version}, saved <Time at={data.updatedAt} />
                    {data.updatedByName && ` by ${data.updatedByName}`}.
                  </>
                )}
              </p>
              <SettingsForm key={name} name={name} of={data} />
            </Section>
            <History name={name} present={data} />
          </>
        )}
      </Shown>
    </AdminPage>
  );
}
