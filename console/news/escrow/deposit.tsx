import type { ReactNode } from "react";
import type { Data } from "../../api/client.ts";
import { Copied } from "../../parts/copy.tsx";
import { Section } from "../../parts/page.tsx";
import { zecWords } from "./amounts.ts";

/** Where the money goes in, and exactly how much: the last digits name what it is for. */
export const DepositInstructions = ({
  of: { address, amount, progress },
  promised,
  acts,
}: {
  of: Data<"GET /escrow/bounties/{id}/deposit">;
  /** In zatoshi: what was promised of it. */
  promised: string;
  acts?: ReactNode;
}): ReactNode =>
  amount && (
    <Section title="Pay in" acts={acts}>
      <p>
        Send <strong>exactly {zecWords(amount)}</strong>, in one payment, to the address below. That is{" "}
        {zecWords(promised)}, a reserve for the fees of the network, and last digits by which the payment is told from
        others: another amount is not recognised.
      </p>
      <Copied label="Address" text={address} />
      <Copied label="Amount in zatoshi" text={amount} />
      <p>{progress}</p>
      <p className="muted">
        It counts once it is confirmed deeply enough and was moved into the shielded pool. This page looks by itself.
      </p>
    </Section>
  );
