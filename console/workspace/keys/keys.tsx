import type { ReactNode } from "react";
import { Link } from "react-router";
import { useAnswer } from "../../api/hooks.ts";
import { DecryptText, EncryptText } from "../../app/encryption/texts.tsx";
import { Section, Shown } from "../../parts/page.tsx";
import { Pager, usePage } from "../../parts/table.tsx";
import { SetPage, useSet } from "../set/use-set.tsx";
import { KeyTable, useReadersOf } from "./key-table.tsx";
import { MakeKeyButton } from "./make-key.tsx";

/** The keys of the set that this person can use, and those of their compartments. */
export function SetKeys(): ReactNode {
  const { set, maySet } = useSet();
  const readersOf = useReadersOf();
  const keys = useAnswer("GET /encryption/keys", [{ query: { problemSetId: set.id, page: usePage(), sort: "name" } }], {
    keepsShown: true,
  });
  return (
    <SetPage
      title="Encryption keys"
      intro="For texts that leave the platform, as in a mail, a shared folder or on paper: only those read them who can use the key."
      acts={<MakeKeyButton />}
    >
      <Shown of={keys}>
        {({ data, meta }) => (
          <>
            <KeyTable
              label="Keys that you can use"
              keys={data}
              saysReaders
              empty={
                maySet("encryption:manage")
                  ? "There is no key that you can use. Make one for everybody in the set, or for a compartment that you are read into."
                  : "There is no key that you can use. Commanders and deputies make keys; one of a compartment is seen by those who are read into it."
              }
            />
            <Pager meta={meta} />
            <div className="columns">
              {maySet("encryption:use") && data.length > 0 && (
                <EncryptText keys={data} isOfSet readersOf={(key) => `${key.name}: ${readersOf(key)}`} />
              )}
              <DecryptText />
            </div>
          </>
        )}
      </Shown>
      <WhatItMeans />
    </SetPage>
  );
}

const WhatItMeans = (): ReactNode => {
  const { set } = useSet();
  return (
    <Section title="What a key does, and what it does not">
      <ul>
        <li>
          The platform keeps each key sealed. Nobody ever sees one, and none leaves: encrypting and decrypting happens
          on the server, for those who may. It keeps no copy of your texts, so there is no list of what was encrypted.
        </li>
        <li>
          Whoever is read into a <Link to={`/workspace/${set.id}/compartments`}>compartment</Link> can decrypt what its
          keys encrypted, also earlier; whoever is read out or leaves the set no longer can, from that moment. What they
          have read, they have read.
        </li>
        <li>
          What lies here, in a compartment or out of it, is not encrypted by these keys: others are kept from it by who
          is read in.
        </li>
        <li>
          Rotating makes a new version that encrypts from then on. Older versions stay, so that nothing becomes
          unreadable. A key is not deleted, renamed, or given to others.
        </li>
        <li>
          While a compartment is dissolved and closed, nobody decrypts what its keys encrypted; restored, they can
          again.
        </li>
        <li>Only texts can be encrypted here, up to 700,000 characters; files cannot.</li>
      </ul>
      <p className="muted">
        For keys that you alone can use, or for somebody whose DID you know, see{" "}
        <Link to="/identity/encryption">your own encryption</Link>.
      </p>
    </Section>
  );
};
