import type { ReactNode } from "react";
import { Field } from "../../parts/form.tsx";
import { ZEC_PATTERN } from "./amounts.ts";

/** An amount as people type it; `zatoshiOf` reads it. */
export const AmountField = ({ label }: { label: string }): ReactNode => (
  <Field
    label={label}
    name="amount"
    inputMode="decimal"
    pattern={ZEC_PATTERN}
    title="ZEC, with at most eight digits behind the point: 0.5"
    required
  />
);

/** A shielded address: nothing that a browser would remember or mend. */
export const AddressField = (address: { label: string; name: string; hint: string }): ReactNode => (
  <Field {...address} autoComplete="off" spellCheck={false} required />
);
