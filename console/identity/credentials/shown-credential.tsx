import type { ReactNode } from "react";
import type { ListRow } from "../../api/client.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { claimsOf, proves } from "./claims.ts";
import { CopyText } from "./copy-text.tsx";

interface ShownCredentialProps {
  of: Pick<ListRow<"GET /credentials">, "kind" | "credential" | "jwt">;
  onClose(): void;
}

/** All that a credential says, and its text to pass on. */
export const ShownCredential = ({ of: { kind, credential, jwt }, onClose }: ShownCredentialProps): ReactNode => (
  <Dialog title={proves(kind, credential)} onClose={onClose}>
    <ClaimList of={claimsOf(credential)} />
    <p>Give this text to whoever wants to verify it; it says nothing beside what stands above.</p>
    <CopyText text={jwt ?? JSON.stringify(credential, null, 2)} label="The credential" />
  </Dialog>
);

/** What a credential says, claim by claim. */
export const ClaimList = ({ of: claims }: { of: ReturnType<typeof claimsOf> }): ReactNode => (
  <dl>
    {claims.map(([name, value]) => (
      <Claim key={name} name={name} value={value} />
    ))}
  </dl>
);

const Claim = ({ name, value }: { name: string; value: string }): ReactNode => (
  <>
    <dt>{name}</dt>
    <dd dir="auto">{value}</dd>
  </>
);
