import type { ReactNode } from "react";
import { useMay } from "../../app/session.tsx";
import { Section } from "../../parts/page.tsx";
import { PictureFrame } from "../place.tsx";
import { EdgeConflicts } from "./edge-conflicts.tsx";
import { EdgeNodes } from "./edge-nodes.tsx";

/** What comes from devices that work while they are cut off: what people changed apart, and the devices themselves. */
export function Edge(): ReactNode {
  const mayCarry = useMay("edge-sync:carry");
  return (
    <PictureFrame
      title="Edge nodes"
      intro="Devices that carry a part of the picture along, and bring back what was changed while they were cut off."
    >
      {(place) => (
        <>
          <Section title="To be decided">
            <EdgeConflicts place={place} />
          </Section>
          {mayCarry && (
            <Section title="Nodes">
              <EdgeNodes />
            </Section>
          )}
        </>
      )}
    </PictureFrame>
  );
}
