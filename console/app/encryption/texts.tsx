import { useState, type ReactNode } from "react";
import type { ListRow } from "../../api/client.ts";
import { useAct } from "../../api/hooks.ts";
import { Copied } from "../../parts/copy.tsx";
import { Field, Form, Select, TextField } from "../../parts/form.tsx";
import { Section } from "../../parts/page.tsx";

export type EncryptionKey = ListRow<"GET /encryption/keys">;

/** What stands for no key: it is encrypted for the holder of a DID. */
const FOR_DID = "";

const inText = (jwe: unknown): string => (typeof jwe === "string" ? jwe : JSON.stringify(jwe));

/** The key of a set is named together with the set. */
const under = ({ id, problemSetId }: EncryptionKey) => ({ key: id, ...(problemSetId && { problemSetId }) });

interface EncryptProps {
  keys: readonly EncryptionKey[];
  /** Who reads what a key encrypts. */
  readersOf?: (key: EncryptionKey) => string;
  /** Of a problem set: under its keys alone. */
  isOfSet?: boolean;
}
const userOf = ({ name }: EncryptionKey): string => `whoever can use ${name}`;

/** Under a key, or for somebody whose DID is known. */
export function EncryptText({ keys, readersOf = userOf, isOfSet = false }: EncryptProps): ReactNode {
  const [chosen, setChosen] = useState<string>();
  const [made, setMade] = useState<string>();
  const id = chosen ?? keys[0]?.id ?? FOR_DID;
  const key = keys.find((one) => one.id === id);
  const encrypt = useAct("POST /encryption/encrypt", {
    tellsRefusal: false,
    then: ({ data: { jwe } }) => setMade(inText(jwe)),
  });
  return (
    <Section title="Encrypt a text">
      <Form
        act="Encrypt"
        label="Encrypt a text"
        onSubmit={({ plaintext = "", recipient, aad }) =>
          encrypt.mutateAsync({
            body: { plaintext, ...(aad && { aad }), ...(key ? under(key) : { recipients: [recipient ?? ""] }) },
          })
        }
      >
        <Select
          label="For"
          name="key"
          value={id}
          options={[
            ...keys.map((one) => [one.id, readersOf(one)] as const),
            ...(isOfSet ? [] : [[FOR_DID, "somebody whose DID I know"] as const]),
          ]}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
        />
        {!key && (
          <Field
            label="Their DID"
            name="recipient"
            placeholder="did:key:…"
            autoComplete="off"
            spellCheck={false}
            required
          />
        )}
        <TextField label="Text" name="plaintext" required />
        <BoundTo hint="Such as the number of an order: whoever decrypts the text has to write the same. It is not secret." />
      </Form>
      {made && <Copied label="Encrypted text" text={made} />}
    </Section>
  );
}

/** Data that is not encrypted, but without which nothing is decrypted: seldom needed. */
const BoundTo = ({ hint }: { hint: string }): ReactNode => (
  <details>
    <summary>Bound to something outside of it</summary>
    <Field label="Bound to" name="aad" hint={hint} maxLength={10_000} autoComplete="off" />
  </details>
);

/** What was pasted may be the compact form, or JSON for several readers. */
function jweOf(pasted: string): string | Record<string, unknown> {
  const text = pasted.trim();
  if (!text.startsWith("{")) return text;
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    throw new Error("This is no whole encrypted text: copy it again, from its first brace to its last.");
  }
}

export function DecryptText(): ReactNode {
  const [read, setRead] = useState<string>();
  const decrypt = useAct("POST /encryption/decrypt", {
    tellsRefusal: false,
    then: ({ data: { plaintext, encoding } }) =>
      setRead(encoding === "utf8" ? plaintext : `It is no text; its bytes in base64url: ${plaintext}`),
  });
  return (
    <Section title="Decrypt a text">
      <Form
        act="Decrypt"
        label="Decrypt a text"
        onSubmit={({ jwe = "", aad }) => {
          setRead(undefined);
          return decrypt.mutateAsync({ body: { jwe: jweOf(jwe), ...(aad && { aad }) } });
        }}
      >
        <TextField
          label="Encrypted text"
          name="jwe"
          spellCheck={false}
          hint="Of a key that you can use, or for one of your DIDs."
          required
        />
        <BoundTo hint="Only where whoever encrypted it wrote something here." />
      </Form>
      {read !== undefined && (
        <div role="status">
          <h3>What it says</h3>
          <p className="decrypted">{read}</p>
        </div>
      )}
    </Section>
  );
}
