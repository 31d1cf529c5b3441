import "./map.css";
import { lazy, Suspense, useMemo, useRef, useState, type ReactNode } from "react";
import { useSearchParams } from "react-router";
import { Loading, Section, Shown } from "../../parts/page.tsx";
import { many } from "../../parts/texts.tsx";
import { PictureFrame, type PicturePlace } from "../place.tsx";
import { OpenAlarms } from "../resources/open-alarms.tsx";
import { Contradictions } from "./conflicts.tsx";
import { DrawPanel, SHAPE_WORDS, type FeatureDraft } from "./edit/draw-panel.tsx";
import { FeatureActs } from "./edit/feature-acts.tsx";
import { FeatureList } from "./feature-list.tsx";
import { FeaturePanel } from "./feature-panel.tsx";
import { nameOf } from "./feature-words.ts";
import { LayersPanel, Watching, type LayerChoice } from "./layers-panel.tsx";
import { Linkages } from "./linkages.tsx";
import { NewLiveLayer } from "./new-live-layer.tsx";
import { mapFeatures } from "./picture-data.ts";
import { asText, readPositions, SHAPES, type LonLat } from "./positions.ts";
import { TimeBar } from "./time-bar.tsx";
import { usePicture, type PictureLayer } from "./use-picture.ts";

/** Leaflet and the base are fetched with the first map. */
const MapView = lazy(() => import("./leaflet/map-view.tsx"));

export const MapPage = (): ReactNode => (
  <PictureFrame
    title="Picture"
    intro="One map that everybody in the problem set shares: what is where, how old that is, and what contradicts it."
  >
    {(place) => <PictureMap key={place.problemSetId ?? ""} place={place} />}
  </PictureFrame>
);

/** What the address says of the map: layers turned on and off, and the feature that is looked at. */
function useChoice(): {
  at: string | null;
  selected: string | undefined;
  isOn(layerId: string, isOnCop: boolean): boolean;
  turn(layer: LayerChoice): void;
  select(key: string | undefined): void;
} {
  const [search, setSearch] = useSearchParams();
  const listOf = (name: string): string[] => search.get(name)?.split(",").filter(Boolean) ?? [];
  const change = (name: string, value: string | undefined): void =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        if (value) next.set(name, value);
        else next.delete(name);
        return next;
      },
      { replace: true },
    );
  return {
    at: search.get("at"),
    selected: search.get("feature") ?? undefined,
    isOn: (id, isOnCop) => (isOnCop ? !listOf("off").includes(id) : listOf("on").includes(id)),
    turn({ id, state }) {
      const name = state === undefined || state === "cop" ? "off" : "on";
      const before = listOf(name);
      change(name, (before.includes(id) ? before.filter((one) => one !== id) : [...before, id]).join(","));
    },
    select: (key) => change("feature", key),
  };
}

/** Positions of a draft as far as they can be read; lines that somebody is still typing come later. */
function sketchOf({ shape, text }: FeatureDraft): { shape: FeatureDraft["shape"]; positions: LonLat[] } {
  const positions = text.split("\n").flatMap((line) => {
    try {
      return readPositions(line);
    } catch {
      return [];
    }
  });
  return { shape, positions };
}

const isOpen = ({ kind, state }: PictureLayer): boolean =>
  kind === "drawn" && (state === "draft" || state === "review");

function PictureMap({ place }: { place: PicturePlace }): ReactNode {
  const choice = useChoice();
  const { picture, listed, shown, now, coming } = usePicture(place, choice);
  const [draft, setDraft] = useState<FeatureDraft>();
  const layersKey = JSON.stringify([now && Math.floor(now / 20_000)]);
  const features = useMemo(
    () => mapFeatures(shown, now),
    // Made anew when a layer was read, or time has passed.
    // oxlint-disable-next-line react/exhaustive-deps
    [...shown.map((one) => one.features), shown.length, layersKey],
  );
  const sketch = useMemo(() => draft && sketchOf(draft), [draft]);
  const selected = features.find(({ key }) => key === choice.selected);
  const mayDraw = !choice.at && place.may("cop:draft");
  const editables = listed.filter(isOpen);
  const layers: LayerChoice[] = choice.at
    ? (picture.data?.data.layers ?? []).map(({ id, name, type }) => ({ id, name, type, isOn: choice.isOn(id, true) }))
    : listed.map(({ id, name, type, state, compartments }) => ({
        ...{ id, name, type, state, compartments },
        isOn: choice.isOn(id, state === "cop"),
      }));
  const layerOf = editables.find(({ id }) => id === selected?.layerId);
  const whole = useRef<HTMLDivElement>(null);
  /** What is chosen far below the map is shown with the map and what it says of itself. */
  function selectFar(key: string): void {
    choice.select(key);
    whole.current?.scrollIntoView({ block: "start" });
  }
  function addPoint(position: LonLat): void {
    setDraft((before) => {
      if (!before) return before;
      const kept = before.shape === "Point" ? "" : before.text.trim();
      return { ...before, text: `${kept}${kept && "\n"}${asText([position])}` };
    });
  }
  return (
    <>
      <div className="row between">
        <TimeBar />
        {mayDraw && !draft && (
          <div className="row">
            {SHAPES.map((shape) => (
              <button key={shape} type="button" onClick={() => setDraft({ shape, text: "" })}>
                Draw {SHAPE_WORDS[shape]}
              </button>
            ))}
          </div>
        )}
      </div>
      <Shown of={picture} what="Reading the picture">
        {({ data }) => (
          <div className="picture" ref={whole}>
            <div className="map-place">
              <Suspense fallback={<Loading what="Opening the map" />}>
                <MapView
                  {...{ features, sketch }}
                  selected={selected?.key}
                  onSelect={choice.select}
                  onPoint={addPoint}
                />
              </Suspense>
            </div>
            <div className="stack">
              {draft && (
                <DrawPanel
                  key={`${draft.shape} ${draft.before?.id}`}
                  {...{ place, draft }}
                  layers={editables}
                  onChange={setDraft}
                  onClose={() => setDraft(undefined)}
                  onDone={(layerId) => {
                    setDraft(undefined);
                    const state = editables.find(({ id }) => id === layerId)?.state ?? "draft";
                    if (!choice.isOn(layerId, false))
                      choice.turn({ id: layerId, name: "", type: "custom", state, isOn: false });
                  }}
                />
              )}
              {selected && !draft && (
                <FeaturePanel
                  one={selected}
                  place={place}
                  onClose={() => choice.select(undefined)}
                  guesses={!choice.at && <Linkages feature={selected.key} place={place} />}
                  acts={
                    mayDraw &&
                    layerOf && (
                      <FeatureActs
                        one={selected}
                        layer={layerOf}
                        onEdit={setDraft}
                        onRemoved={() => choice.select(undefined)}
                      />
                    )
                  }
                />
              )}
              {!choice.at && place.may("resources:read") && <OpenAlarms place={place} isQuietWhenNone />}
              {!choice.at && <Contradictions place={place} onSelect={selectFar} />}
              <Section title="Layers" acts={mayDraw && <NewLiveLayer place={place} />}>
                {!choice.at && listed.some(({ kind }) => kind === "live") && (
                  <Watching place={place} isWatched={data.watched} />
                )}
                <LayersPanel {...{ place, layers, features }} onTurn={choice.turn} />
                {coming.length > 0 && <Loading what={`Reading ${coming.join(", ")}`} />}
              </Section>
              <Section title={`On the map: ${many(features.length, "feature")}`}>
                <FeatureList features={features} selected={selected?.key} onSelect={selectFar} />
              </Section>
            </div>
          </div>
        )}
      </Shown>
      <p className="visually-hidden" role="status">
        {selected && `${nameOf(selected)} is shown.`}
      </p>
    </>
  );
}
