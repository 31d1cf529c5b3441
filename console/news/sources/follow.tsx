import type { ReactNode } from "react";
import type { Data } from "../../api/client.ts";
import { useAct } from "../../api/hooks.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Check, Field, Form, Select, type FormFields } from "../../parts/form.tsx";
import { DOMAINS, type NewsDomain } from "../domains.ts";

type Known = Pick<Data<"GET /sources/{id}">, "url" | "name" | "domain" | "fullText">;

/** A source without a name is called as the site that it comes from. */
const taken = ({ url = "", name = "", domain, fullText }: FormFields) => ({
  url,
  name: name || (URL.parse(url)?.hostname.replace(/^www\./, "") ?? url),
  domain: domain as NewsDomain,
  fullText: fullText === "on",
});

const Fields = ({ known }: { known?: Known }): ReactNode => (
  <>
    <Field
      label="Address"
      name="url"
      type="url"
      hint="Of its feed, or of its site: the feed is then found."
      defaultValue={known?.url}
      required
    />
    <Field
      label="Name"
      name="name"
      defaultValue={known?.name}
      hint={known ? undefined : "Empty: that of its site, as example.org."}
      required={known !== undefined}
    />
    <Select label="What it is mostly about" name="domain" options={DOMAINS} defaultValue={known?.domain} />
    <Check
      label="Fetch full texts"
      name="fullText"
      hint="Reads the page of each article where the feed gives a summary only."
      defaultChecked={known?.fullText}
    />
  </>
);

export function FollowDialog({ onClose }: { onClose(): void }): ReactNode {
  const follow = useAct("POST /sources", {
    tellsRefusal: false,
    says: ({ data }) => `${data.name} is followed. Its articles come in within a minute.`,
    then: onClose,
  });
  return (
    <Dialog title="Follow a source" onClose={onClose}>
      <Form act="Follow" onSubmit={(fields) => follow.mutateAsync({ body: taken(fields) })}>
        <Fields />
      </Form>
    </Dialog>
  );
}

export function EditDialog({ source, onClose }: { source: Known & { id: number }; onClose(): void }): ReactNode {
  const change = useAct("PUT /sources/{id}", { tellsRefusal: false, says: "It is changed.", then: onClose });
  return (
    <Dialog title={`Change ${source.name}`} onClose={onClose}>
      <Form act="Save" onSubmit={(fields) => change.mutateAsync({ path: { id: source.id }, body: taken(fields) })}>
        <Fields known={source} />
      </Form>
    </Dialog>
  );
}
