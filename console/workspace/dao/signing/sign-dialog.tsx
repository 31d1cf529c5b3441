import { useRef, useState, type ReactNode } from "react";
import { wordsOf } from "../../../api/hooks.ts";
import { CopyButton } from "../../../parts/copy.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { Field, Form } from "../../../parts/form.tsx";
import type { TypedData } from "../dao-types.ts";
import { hasWallet, signByWallet } from "./wallet.ts";

interface SignProps {
  typed: TypedData;
  /** The verb that hands the signature in. */
  act: string;
  onSigned(signature: string): Promise<unknown>;
  onClose(): void;
}

/** Has typed data signed: by the wallet in this browser, or elsewhere, with the signature pasted in. */
export function SignDialog({ typed, act, onSigned, onClose }: SignProps): ReactNode {
  const shown = useRef<HTMLTextAreaElement>(null);
  const [refused, setRefused] = useState("");
  const text = JSON.stringify(typed, null, 2);
  const hand = async (signature: string): Promise<void> => {
    await onSigned(signature);
    onClose();
  };
  async function byWallet(): Promise<void> {
    setRefused("");
    await signByWallet(typed)
      .then(hand)
      .catch((error: unknown) => setRefused(wordsOf(error)));
  }
  return (
    <Dialog title="Sign with your wallet" onClose={onClose}>
      <p>This is what you sign (EIP-712). It counts for this alone, and once.</p>
      <textarea ref={shown} className="typed" aria-label="What you sign" rows={8} value={text} readOnly />
      <p className="row">
        {hasWallet() && (
          <button type="button" className="primary" onClick={() => void byWallet()}>
            Sign with the wallet in this browser
          </button>
        )}
        <CopyButton text={text} shown={shown} />
      </p>
      {refused && (
        <p className="fault" role="alert">
          {refused}
        </p>
      )}
      <Form act={act} onSubmit={({ signature = "" }) => hand(signature.trim())}>
        <Field
          label="Signature"
          name="signature"
          hint="Signed elsewhere (eth_signTypedData_v4)? Paste the signature: 0x and 130 digits."
          required
        />
      </Form>
    </Dialog>
  );
}
