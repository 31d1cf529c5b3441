import type { ReactNode } from "react";
import { useAnswer } from "../../../api/hooks.ts";
import { Section, Shown } from "../../../parts/page.tsx";
import { Table, type Column } from "../../../parts/table.tsx";
import { many, Share } from "../../../parts/texts.tsx";
import { inPlace, type PicturePlace } from "../../place.tsx";
import { DiscoveryFrame, LOOK_MS, useDevicesLive } from "../area.tsx";
import { OwnEmissions } from "./own-emissions.tsx";
import { inDbm, inHertz, liesInBand, trendWords, type Band, type OwnEmitter } from "./spectrum-words.ts";

/** What is heard on the air, and what one sends out oneself. */
export const Spectrum = (): ReactNode => (
  <DiscoveryFrame
    title="Spectrum"
    intro="What collectors hear on the air, band by band, and what others can hear of you."
  >
    {(place) => <SpectrumOf place={place} />}
  </DiscoveryFrame>
);

function SpectrumOf({ place }: { place: PicturePlace }): ReactNode {
  useDevicesLive(place);
  const heard = useAnswer("GET /discovery/em/snapshot", [{ query: inPlace(place) }], { every: LOOK_MS });
  const own = useAnswer("GET /discovery/em/own-footprint", [{ query: inPlace(place) }], { every: LOOK_MS });
  const emitters = own.data?.data.emitters ?? [];
  return (
    <>
      <Section title="What is heard">
        <Shown of={heard}>
          {({ data: { bands, total, sources, more } }) => (
            <>
              <p>
                {total
                  ? `${many(total, "emission")} in the last five minutes${sources.length ? `, heard by ${sources.join(", ")}` : ""}.`
                  : "Nothing was heard in the last five minutes. Collectors report what they measure."}
                {more && " There were more than can be summed up: the newest are."}
              </p>
              {bands.some((band) => band.trend !== "silent" || emitters.some((one) => liesInBand(band, one))) && (
                <Table
                  label="Bands"
                  rows={bands}
                  keyOf={({ band }) => band}
                  columns={columnsOf(emitters)}
                  empty="There are no bands."
                />
              )}
            </>
          )}
        </Shown>
      </Section>
      <Shown of={own}>{({ data }) => <OwnEmissions footprint={data} place={place} />}</Shown>
    </>
  );
}

const columnsOf = (emitters: readonly OwnEmitter[]): readonly Column<Band>[] => [
  {
    head: "Band",
    cell: ({ band, lowHz, highHz }) => (
      <>
        {band}{" "}
        <small className="muted">
          {inHertz(lowHz)} to {inHertz(highHz)}
        </small>
      </>
    ),
  },
  { head: "Emissions", isFigure: true, cell: ({ emissions }) => emissions.toLocaleString("en") },
  { head: "On average", isFigure: true, cell: ({ meanPowerDbm }) => inDbm(meanPowerDbm) },
  { head: "Loudest", isFigure: true, cell: ({ peakPowerDbm }) => inDbm(peakPowerDbm) },
  { head: "In use", cell: ({ occupancy, band }) => <Share of={occupancy} label={`How much of ${band} is in use`} /> },
  { head: "Than before", cell: trendWords },
  {
    head: "Of ours",
    cell: (band) =>
      emitters
        .filter((one) => liesInBand(band, one))
        .map(({ name }) => name)
        .join(", ") || <span className="muted">nothing declared</span>,
  },
];
