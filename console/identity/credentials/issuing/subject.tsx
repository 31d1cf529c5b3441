import type { ReactNode } from "react";
import { ask } from "../../../api/client.ts";
import { useAnswer } from "../../../api/hooks.ts";
import { useMay } from "../../../app/session.tsx";
import { Field, Select, type FormFields } from "../../../parts/form.tsx";

interface SubjectFieldProps {
  /** A person, or any thing that has an address. */
  of: "person" | "thing";
  setId: string | undefined;
}

/** Whom or what a credential is about: a member by name, or somebody by their address or DID. */
export function SubjectField({ of, setId }: SubjectFieldProps): ReactNode {
  const mayFind = useMay("users:administer");
  const members = useAnswer("GET /problem-sets/{id}/members", [{ path: { id: setId ?? "" }, query: { limit: 100 } }], {
    enabled: setId !== undefined,
  });
  if (setId !== undefined)
    return (
      <Select
        label="About whom"
        name="subject"
        required
        options={[
          ["", "choose"],
          ...(members.data?.data ?? []).map(({ did, userName, role }) => [did, `${userName ?? did}, ${role}`] as const),
        ]}
      />
    );
  return of === "thing" ? (
    <Field
      label="About what"
      name="subject"
      required
      maxLength={2_000}
      placeholder="urn:example:vessel:7"
      hint="Its address (URI), such as a link or a DID."
    />
  ) : (
    <Field
      label="About whom"
      name="subject"
      required
      maxLength={2_000}
      hint={
        mayFind ? "Their address or name here, or their DID." : "Their DID; they find it under their own credentials."
      }
    />
  );
}

/** What was written there, as the API takes it. Throws where nobody, or more than one, is meant. */
export async function subjectIn({ subject = "" }: FormFields): Promise<{ subject: string } | { userId: string }> {
  const written = subject.trim();
  // Addresses of mail have no colon, all URIs have one.
  if (written.includes(":")) return { subject: written };
  const { data: found } = await ask("GET /auth/users", { query: { q: written, limit: 50 } });
  const exact = found.filter(({ email, name }) => [email, name].includes(written));
  const meant = exact.length ? exact : found;
  if (!meant.length) throw new Error(`No account has the address or name “${written}”.`);
  if (meant.length > 1) throw new Error(`Several accounts begin with “${written}”: give the whole address.`);
  return { userId: meant[0]!.id };
}
