import type { ReactNode } from "react";
import { useAct } from "../../../api/hooks.ts";
import { Dialog } from "../../../parts/dialog.tsx";
import { Field, Form, Select, type FormFields } from "../../../parts/form.tsx";
import { notify } from "../../../parts/notices.tsx";
import { inPlace, type PicturePlace } from "../../place.tsx";
import { endOf, nodeName, type NetworkSeen } from "./network-words.ts";

export interface LinkAsked {
  from: string;
  to: string;
}

/** Says by hand that two are linked or are not: that overrides what is seen. */
export function LinkDialog({
  seen,
  place,
  about,
  onClose,
}: {
  seen: NetworkSeen;
  place: PicturePlace;
  about?: LinkAsked;
  onClose(): void;
}): ReactNode {
  const say = useAct("POST /discovery/observations", { tellsRefusal: false });
  const nodes = seen.graph.nodes
    .map((node): [string, string] => [node.id, nodeName(node)])
    .sort(([, one], [, other]) => one.localeCompare(other));
  async function save({ from = "", to = "", present, cost }: FormFields): Promise<void> {
    const [one, other] = [seen.byId.get(from), seen.byId.get(to)];
    if (!one || !other || one === other) throw new Error("Choose two that differ.");
    const link = {
      ...{ from: endOf(one), to: endOf(other), evidence: "manual", present: present === "yes" },
      ...(cost && { cost: Number(cost) }),
    };
    // Nobody learns of a device by its link who does not see it.
    const compartments = [...new Set([...(one.compartments ?? []), ...(other.compartments ?? [])])];
    const { data } = await say.mutateAsync({ body: { ...inPlace(place), compartments, links: [link] } });
    const [failed] = data.failed;
    if (failed) throw new Error(failed.message);
    notify(present === "yes" ? "The link is entered." : "No link is shown between them any more.");
    onClose();
  }
  return (
    <Dialog title="Enter a link by hand" onClose={onClose}>
      <p>What a person says overrides what is seen, until another person says otherwise.</p>
      <Form act="Enter it" onSubmit={save}>
        <Select label="Between" name="from" defaultValue={about?.from} options={nodes} />
        <Select label="And" name="to" defaultValue={about?.to ?? nodes[1]?.[0]} options={nodes} />
        <Select
          label="There is"
          name="present"
          defaultValue={about ? "no" : "yes"}
          options={[
            ["yes", "a link"],
            ["no", "no link, whatever is seen"],
          ]}
        />
        <Field
          label="Cost of the step (optional)"
          name="cost"
          type="number"
          step="any"
          min={0.001}
          hint="The way from one to another takes the steps that cost least; a step costs 1 unless somebody says otherwise."
        />
      </Form>
    </Dialog>
  );
}
