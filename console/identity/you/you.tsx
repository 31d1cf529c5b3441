import type { ReactNode } from "react";
import { useAct, useAnswer } from "../../api/hooks.ts";
import type { Data } from "../../api/client.ts";
import { recheckSession, useWho } from "../../app/session.tsx";
import { Field, Form, TextField } from "../../parts/form.tsx";
import { Section, Shown } from "../../parts/page.tsx";
import { AccountPage } from "../frame.tsx";
import { Mode } from "./mode.tsx";
import { Picture } from "./picture.tsx";

type Profile = Data<"GET /user-profile">;
type FieldName = Profile["missing"][number];

const ROLES: Record<string, string> = {
  reader: "Reader: you read everything that is open to all, and work in the problem sets that you are in",
  analyst: "Analyst: you also follow sources, verify articles, make briefings and keep the picture",
  admin: "Administrator: you also run the platform",
  system_admin: "System administrator: you may do everything, accounts of others included",
};

/** Who you are to others, and in which mode you work. */
export function You(): ReactNode {
  const profile = useAnswer("GET /user-profile");
  return (
    <AccountPage title="Your account" intro="What others see of you, and whether you work in earnest or in training.">
      <Shown of={profile}>
        {({ data }) => (
          <div className="beside">
            <ProfileForm key={data.rev} profile={data} />
            <div className="stack">
              <Section title="Account">
                <Picture avatar={data.avatar} name={data.displayName ?? data.email ?? ""} />
                <Facts profile={data} />
              </Section>
              <Mode />
            </div>
          </div>
        )}
      </Shown>
    </AccountPage>
  );
}

function Facts({ profile }: { profile: Profile }): ReactNode {
  const { user } = useWho();
  return (
    <dl>
      <dt>Address</dt>
      <dd>{profile.email ?? "none"}, confirmed: letters and sign-in links go there</dd>
      <dt>Role</dt>
      <dd>{ROLES[user?.role ?? ""] ?? user?.role}</dd>
    </dl>
  );
}

const FIELDS: readonly (readonly [name: FieldName, label: string, hint?: string, type?: string])[] = [
  ["displayName", "Name", "As others see you, wherever you did something."],
  ["givenName", "Given name"],
  ["familyName", "Family name"],
  ["organisation", "Organisation"],
  ["position", "What you are there"],
  ["phone", "Telephone", "With the country: +43 1 234 5678.", "tel"],
  ["timeZone", "Time zone", "As in Europe/Vienna."],
  ["locale", "Language and region", "As in en-GB."],
];

function ProfileForm({ profile }: { profile: Profile }): ReactNode {
  const save = useAct("POST /user-profile", {
    tellsRefusal: false,
    says: "Your profile is saved.",
    then: () => void recheckSession(),
  });
  const names = [...FIELDS.map(([name]) => name), "biography" as const];
  return (
    <Section title="Profile">
      {profile.missing.length > 0 && (
        <p className="fault">
          This platform asks everybody for more: {profile.missing.map((name) => labelOf(name).toLowerCase()).join(", ")}
          .
        </p>
      )}
      <Form
        act="Save"
        label="Profile"
        onSubmit={(fields) =>
          save.mutateAsync({
            // What was emptied is taken back.
            body: Object.fromEntries(names.map((name) => [name, tidy(name, fields[name])])),
          })
        }
      >
        <div className="columns">
          {FIELDS.map(([name, label, hint, type]) => (
            <Field
              key={name}
              label={label}
              name={name}
              defaultValue={profile[name]}
              {...(hint && { hint })}
              {...(type && { type })}
              required={profile.missing.includes(name)}
            />
          ))}
        </div>
        <TextField label="About you" name="biography" maxLength={2000} defaultValue={profile.biography} />
      </Form>
    </Section>
  );
}

const labelOf = (name: FieldName): string => FIELDS.find(([known]) => known === name)?.[1] ?? "a few words about you";

/** People write telephone numbers with spaces; the platform keeps digits. */
const tidy = (name: FieldName, text: string | undefined): string | null =>
  text === undefined ? null : name === "phone" ? text.replace(/[\s()/.-]/g, "") : text.trim();
