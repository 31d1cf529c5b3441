import type { ReactNode } from "react";
import { useAnswer } from "../../../api/hooks.ts";
import { Copied } from "../../../parts/copy.tsx";
import { Section, Shown } from "../../../parts/page.tsx";

/** The identifier by which what an agent did can be told from what people did. */
export function Identity({ agentId }: { agentId: string }): ReactNode {
  const identity = useAnswer("GET /admin/agents/{agentId}/did", [{ path: { agentId } }], { stays: true });
  return (
    <Section title="Identity">
      <p className="muted">
        The agent has a decentralized identifier (DID) of its own, which belongs to no account: nobody signs in with it.
        It ends with the agent.
      </p>
      <Shown of={identity}>
        {({ data: { did, didDocument } }) => (
          <>
            <Copied label="Its DID" text={did} />
            <details>
              <summary>Its document, as others see it</summary>
              {didDocument ? (
                <code className="code pre">{JSON.stringify(didDocument, null, 2)}</code>
              ) : (
                <p>It cannot be looked up at the moment.</p>
              )}
            </details>
          </>
        )}
      </Shown>
    </Section>
  );
}
