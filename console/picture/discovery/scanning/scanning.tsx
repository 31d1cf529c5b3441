import { useState, type ReactNode } from "react";
import { useAnswer } from "../../../api/hooks.ts";
import { useMay } from "../../../app/session.tsx";
import { Section } from "../../../parts/page.tsx";
import type { PicturePlace } from "../../place.tsx";
import { DiscoveryFrame, useDevicesLive } from "../area.tsx";
import { Scanner } from "./scanner.tsx";
import { TargetDialog } from "./target-dialog.tsx";
import { Targets } from "./targets.tsx";

/** Where the platform itself looks for devices, and whether it does. */
export const Scanning = (): ReactNode => (
  <DiscoveryFrame
    title="Scanning"
    intro="Where the platform itself looks for devices. It asks the addresses and ports that are listed, and nothing else."
  >
    {(place) => <ScanningHere place={place} />}
  </DiscoveryFrame>
);

function ScanningHere({ place }: { place: PicturePlace }): ReactNode {
  const seesScanner = useMay("discovery:inspect");
  const isTraining = useAnswer("GET /user-mode").data?.data.mode === "training";
  const mayAdminister = useMay("discovery:administer") && !isTraining;
  const mayOperate = useMay("discovery:operate") && !isTraining;
  const [isAdding, setAdding] = useState(false);
  useDevicesLive(place);
  return (
    <>
      {isTraining && <p className="muted">In training nothing is sent: the platform scans in operations alone.</p>}
      {seesScanner && <Scanner mayOperate={mayOperate} mayAdminister={mayAdminister} />}
      <Section
        title="Scan targets"
        acts={
          mayAdminister && (
            <button type="button" className="primary" onClick={() => setAdding(true)}>
              Add a target
            </button>
          )
        }
      >
        <Targets place={place} mayAdminister={mayAdminister} />
      </Section>
      {isAdding && <TargetDialog place={place} onClose={() => setAdding(false)} />}
    </>
  );
}
