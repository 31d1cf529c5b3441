import type { ReactNode } from "react";
import { useAnswer } from "../../api/hooks.ts";
import { Shown } from "../../parts/page.tsx";
import { AccountPage } from "../frame.tsx";
import { OtherWays } from "./other-ways.tsx";
import { Passkeys } from "./passkeys.tsx";
import { Sessions } from "./sessions.tsx";

/** Every way into the account, and where it is open now. */
export function SigningIn(): ReactNode {
  const means = useAnswer("GET /auth/authenticators");
  return (
    <AccountPage title="Signing in" intro="Every way into your account, and where it is open now.">
      <Shown of={means}>
        {({ data }) => (
          <>
            <Passkeys passkeys={data.passkeys} />
            <Sessions />
            <OtherWays means={data} />
          </>
        )}
      </Shown>
    </AccountPage>
  );
}
