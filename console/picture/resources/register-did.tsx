import { useRef, useState, type ReactNode } from "react";
import { type Data } from "../../api/client.ts";
import { useAct } from "../../api/hooks.ts";
import { useOwnDids } from "../../app/own-dids.ts";
import { CopyButton } from "../../parts/copy.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, Form, Select } from "../../parts/form.tsx";
import { Loading } from "../../parts/page.tsx";
import type { ResourceShown } from "./resources.tsx";

interface RegisterProps {
  resource: ResourceShown;
  onClose(): void;
}
type Challenge = Data<"POST /identity/challenges">;

/** Registers a resource under a DID: one of the person's own, or one whose key they hold elsewhere. */
export function RegisterDid({ resource, onClose }: RegisterProps): ReactNode {
  const own = useOwnDids();
  const [asked, setAsked] = useState<{ did: string; challenge: Challenge }>();
  const register = useAct("POST /resources/registry/register", {
    tellsRefusal: false,
    says: `${resource.name} is registered under its identifier.`,
    then: onClose,
  });
  const begin = useAct("POST /identity/challenges", { tellsRefusal: false });
  const registerAs = (did: string, proof: { challenge?: string; signature?: string } = {}): Promise<unknown> =>
    register.mutateAsync({ body: { did, resourceId: resource.id, ...proof } });
  async function choose({ own: chosen, did }: Record<string, string | undefined>): Promise<void> {
    const wanted = chosen ?? did?.trim() ?? "";
    if (chosen !== undefined) return void (await registerAs(wanted));
    const { data } = await begin.mutateAsync({ body: { purpose: "register", subject: wanted } });
    setAsked({ did: wanted, challenge: data });
  }
  return (
    <Dialog title={`Register ${resource.name}`} onClose={onClose}>
      {own === undefined && <Loading />}
      {own && !asked && <Which own={own} onSubmit={choose} />}
      {asked && (
        <Prove
          message={asked.challenge.message}
          onSigned={(signature) => registerAs(asked.did, { challenge: asked.challenge.challenge, signature })}
        />
      )}
    </Dialog>
  );
}

function Which({ own, onSubmit }: { own: readonly string[]; onSubmit(fields: object): Promise<void> }): ReactNode {
  const [isOther, setOther] = useState(own.length === 0);
  return (
    <>
      <p>
        Under a decentralized identifier (DID) systems elsewhere know it again. An identifier belongs to one resource,
        and a resource keeps the one it has.
      </p>
      <Form act={isOther ? "Prove that it is mine" : "Register"} onSubmit={onSubmit}>
        <Select
          label="Identifier"
          name="own"
          defaultValue={own[0] ?? ""}
          onChange={({ currentTarget }) => setOther(currentTarget.value === "")}
          options={[...own, ["", "another one, whose key I hold"]]}
        />
        {isOther && <Field label="Which one" name="did" required placeholder="did:key:z6Mk…" />}
      </Form>
    </>
  );
}

/** The key that only its holder has signs what the platform gave. */
function Prove({ message, onSigned }: { message: string; onSigned(signature: string): Promise<unknown> }): ReactNode {
  const shown = useRef<HTMLTextAreaElement>(null);
  return (
    <>
      <p>Sign this with the identifier&apos;s key, within five minutes. It counts for this alone, and once.</p>
      <textarea ref={shown} className="typed" aria-label="What you sign" rows={5} value={message} readOnly />
      <p>
        <CopyButton text={message} shown={shown} />
      </p>
      <Form act="Register" onSubmit={({ signature = "" }) => onSigned(signature.trim())}>
        <Field label="Signature" name="signature" hint="In base64url." required />
      </Form>
    </>
  );
}
