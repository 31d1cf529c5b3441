import { useState, type ReactNode } from "react";
import type { Input } from "../../api/client.ts";
import { useAct } from "../../api/hooks.ts";
import { useMay } from "../../app/session.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Form, Select, TextField } from "../../parts/form.tsx";

type Order = Input<"POST /assistant/{problemSetId}/emergency">["body"];

/** What can be ordered, and where it holds; a freeze names its place itself. */
const ORDERS: readonly (readonly [action: Order["action"], scope: "set" | "all", words: string])[] = [
  ["freeze-set", "set", "Stop all agents in this problem set"],
  ["freeze-agents", "all", "Stop all agents everywhere"],
  ["cancel-runs", "set", "End what agents and workflows have under way in this problem set"],
  ["cancel-runs", "all", "End what agents and workflows have under way everywhere"],
  ["revoke-delegations", "set", "Withdraw what was delegated to agents in this problem set"],
  ["revoke-delegations", "all", "Withdraw what was delegated to agents everywhere"],
  ["resume", "set", "Let agents work again in this problem set"],
  ["resume", "all", "Let agents work again everywhere"],
];

/** For system administrators: stops agents at once, or lets them work again. */
export function Emergency({ setId, name }: { setId: string; name: string }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const mayOrder = useMay("assistant:emergency");
  const order = useAct("POST /assistant/{problemSetId}/emergency", {
    tellsRefusal: false,
    says: ({ data: { count } }) => `It is ordered.${count ? ` ${count} were ended or withdrawn.` : ""}`,
    then: () => setOpen(false),
  });
  if (!mayOrder) return null;
  return (
    <>
      <button type="button" className="danger" onClick={() => setOpen(true)}>
        Emergency
      </button>
      {isOpen && (
        <Dialog title="Stop agents in an emergency" onClose={() => setOpen(false)}>
          <p>It takes effect at once, and everybody in {name} is told. You will be asked to prove that it is you.</p>
          <Form
            act="Order it"
            onSubmit={({ order: chosen, reason = "" }) => {
              const [action, scope] = ORDERS[Number(chosen)]!;
              return order.mutateAsync({ path: { problemSetId: setId }, body: { action, scope, reason } });
            }}
          >
            <Select label="What" name="order" options={ORDERS.map(([, , words], at) => [String(at), words] as const)} />
            <TextField label="Why" name="reason" rows={2} required minLength={3} />
          </Form>
        </Dialog>
      )}
    </>
  );
}
