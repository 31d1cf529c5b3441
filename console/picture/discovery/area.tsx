import type { ComponentProps, ReactNode } from "react";
import { useLive } from "../../live/live.ts";
import { Tabs } from "../../parts/tabs.tsx";
import { PictureFrame, placeQuery, type PicturePlace } from "../place.tsx";

const TABS = [
  ["", "Devices"],
  ["/network", "Network"],
  ["/spectrum", "Spectrum"],
  ["/access-list", "Allowed and blocked"],
  ["/scanning", "Scanning"],
] as const;

/** A page on what was found in networks and around them, and the ways to the others; for those alone who inspect. */
export const DiscoveryFrame = ({ children, renderActs, ...frame }: ComponentProps<typeof PictureFrame>): ReactNode => (
  <PictureFrame {...frame} {...(renderActs && { renderActs: (place) => mayInspect(place) && renderActs(place) })}>
    {(place) =>
      mayInspect(place) ? (
        <>
          <Tabs
            label="Devices"
            of={TABS.map(([below, words]) => ({
              to: { pathname: `/picture/discovery${below}`, search: placeQuery(place) },
              words,
            }))}
          />
          {children(place)}
        </>
      ) : (
        <p className="empty">Your role does not show you the devices of {place.name}.</p>
      )
    }
  </PictureFrame>
);

export const deviceAddress = (id: string, place: PicturePlace): string =>
  `/picture/discovery/devices/${id}${placeQuery(place)}`;

const DISCOVERY_LIVE = ["device.changed", "device.noticed", "network.changed", "network.noticed"];

const mayInspect = (place: PicturePlace): boolean => place.may("discovery:inspect");

/**
 * Reads again what is shown when something becomes of a device there, or of the networks and the spectrum; nothing
 * until it is known where. `id`: of this device, or of several at once.
 */
export function useDevicesLive(where: { problemSetId?: string } | undefined, id?: string): void {
  const { problemSetId } = where ?? {};
  const place = problemSetId === undefined ? { topic: "discovery" } : { problemSetId };
  useLive(where && place, DISCOVERY_LIVE, (_event, { data: { deviceId, what = "access-list" } }) =>
    id === undefined || (what === "access-list" && [undefined, id].includes(deviceId)) ? undefined : false,
  );
}

/** What moves with time alone, and scans that are under way, are read again after so long. */
export const LOOK_MS = 20_000;
