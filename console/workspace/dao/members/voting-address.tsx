import { useState, type ReactNode } from "react";
import { ask } from "../../../api/client.ts";
import { useAct, wordsOf } from "../../../api/hooks.ts";
import { proveFirst } from "../../../api/proof.ts";
import { Field, Form } from "../../../parts/form.tsx";
import { Section } from "../../../parts/page.tsx";
import type { TypedData } from "../dao-types.ts";
import { SignDialog } from "../signing/sign-dialog.tsx";
import { hasWallet, walletAddress } from "../signing/wallet.ts";
import { useDao } from "../use-dao.tsx";

/** The address that this person signs votes with: registered by a signature of its own. */
export function VotingAddress(): ReactNode {
  const { dao, mine } = useDao();
  const [address, setAddress] = useState("");
  const [refused, setRefused] = useState("");
  const [typed, setTyped] = useState<TypedData>();
  const register = useAct("PUT /dao/{daoId}/voting-address", {
    tellsRefusal: false,
    says: "The address is yours in this DAO. Votes can be signed with it.",
  });
  if (!mine.acts.vote.allowed) return null;
  const path = { daoId: dao.id };
  return (
    <Section title="Your voting address">
      {mine.address ? (
        <p>
          You sign votes with <code>{mine.address}</code>.
        </p>
      ) : (
        <p className="muted">
          {dao.config.signatures === "required"
            ? "Votes in this DAO are signed with a wallet. Register its address first."
            : "Votes may be signed with a wallet, so that nobody needs to trust this platform about them."}
        </p>
      )}
      <Form
        act={mine.address ? "Register another" : "Register"}
        isInline
        label="Voting address"
        beside={
          hasWallet() && (
            <button
              type="button"
              onClick={() => void walletAddress().then(setAddress, (error: unknown) => setRefused(wordsOf(error)))}
            >
              Take it from my wallet
            </button>
          )
        }
        onSubmit={async () => {
          const query = { address: address.trim() };
          setTyped((await proveFirst(() => ask("GET /dao/{daoId}/voting-address", { path, query }))).data);
        }}
      >
        <Field
          label="Address"
          name="address"
          value={address}
          onChange={({ target }) => setAddress(target.value)}
          placeholder="0x…"
          required
        />
      </Form>
      {refused && (
        <p className="fault" role="alert">
          {refused}
        </p>
      )}
      {typed && (
        <SignDialog
          typed={typed}
          act="Register the address"
          onSigned={(signature) => register.mutateAsync({ path, body: { address: address.trim(), signature } })}
          onClose={() => setTyped(undefined)}
        />
      )}
    </Section>
  );
}
