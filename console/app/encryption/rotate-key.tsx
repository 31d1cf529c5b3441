import type { ReactNode } from "react";
import { useAct } from "../../api/hooks.ts";
import { ConfirmButton } from "../../parts/dialog.tsx";
import type { EncryptionKey } from "./texts.tsx";

/** Whoever may not rotate a key of a set is told so by the API: the roles of each set decide. */
export function RotateKey({ id, name }: EncryptionKey): ReactNode {
  const rotate = useAct("POST /encryption/keys/{id}/rotate", {
    says: ({ data: { version } }) => `${name} encrypts with its version ${version} from now on.`,
  });
  return (
    <ConfirmButton
      words="Rotate"
      label={`Rotate ${name}`}
      title={`Rotate ${name}?`}
      run={() => rotate.mutateAsync({ path: { id } })}
    >
      <p>A new version encrypts from now on. What older versions encrypted stays readable.</p>
    </ConfirmButton>
  );
}
