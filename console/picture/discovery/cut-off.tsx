import type { ReactNode } from "react";
import { useAct } from "../../api/hooks.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Form, TextField } from "../../parts/form.tsx";
import { nameOfDevice, type DeviceShown } from "./device-words.ts";

/** Asks why a device is cut off at once, everywhere. */
export function CutOff({ device, onClose }: { device: DeviceShown; onClose(): void }): ReactNode {
  const name = nameOfDevice(device);
  const cut = useAct("POST /discovery/devices/{id}/emergency-disconnect", {
    tellsRefusal: false,
    says: `${name} is cut off.`,
    then: onClose,
  });
  return (
    <Dialog title={`Cut off ${name}`} onClose={onClose}>
      <p>
        Its identities are blocked; sessions, keys and synchronisation under its DID end; whoever watches is told by a
        flash message.
      </p>
      <Form
        act="Cut off"
        onSubmit={({ reason }) => cut.mutateAsync({ path: { id: device.id }, body: { ...(reason && { reason }) } })}
      >
        <TextField label="Why" name="reason" rows={2} required />
      </Form>
    </Dialog>
  );
}
