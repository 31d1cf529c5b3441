import { useQueries, useQueryClient, type QueryClient, type UseQueryResult } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { ask, type Answer, type ListRow } from "../../api/client.ts";
import { useAnswer } from "../../api/hooks.ts";
import { useLive } from "../../live/live.ts";
import { inPlace, listedIn, type PicturePlace } from "../place.tsx";
import { Fixes } from "./fixes.ts";
import { namedBy, together, withFixes, withLayer, type LayerChange, type ShownLayer } from "./picture-data.ts";

export type PictureLayer = ListRow<"GET /cop/layers">;
type Picture = Answer<"GET /cop/picture">;

/** Ages are told by the minute. */
const TICK_MS = 20_000;
/** What is stale goes some minutes later, of which no event tells. */
const LOOK_AGAIN_MS = 300_000;

export interface PictureShown {
  picture: UseQueryResult<Picture>;
  /** All layers that the person sees, on the COP or not; none while looking back. */
  listed: readonly PictureLayer[];
  /** Those that are shown now, with their features. */
  shown: readonly ShownLayer[];
  /** Names of the layers that are wanted and not read yet. */
  coming: readonly string[];
  /** The server's time, going on; undefined while looking back. */
  now: number | undefined;
}

interface Choice {
  /** A moment to look back at. */
  at: string | null;
  isOn(layerId: string, isOnCop: boolean): boolean;
}

/** The picture of a place: the COP in one request, and each layer besides that somebody wants to see. */
export function usePicture(place: PicturePlace, { at, isOn }: Choice): PictureShown {
  const given = { query: { ...inPlace(place), ...(at && { at }) } };
  const picture = useAnswer("GET /cop/picture", [given], { keepsShown: true });
  const list = useAnswer("GET /cop/layers", [{ query: { ...listedIn(place), limit: 100, sort: "name" } }], {
    enabled: !at,
  });
  const listed = at ? [] : (list.data?.data ?? []);
  const onCop = picture.data?.data.layers ?? [];
  const isInPicture = new Set(onCop.map(({ id }) => id));
  const beside = listed.filter(({ id, state }) => !isInPicture.has(id) && isOn(id, state === "cop"));
  const others = useQueries({
    queries: beside.map(({ id }) => ({
      queryKey: ["GET /cop/layers/{id}", { path: { id } }],
      queryFn: ({ signal }: { signal: AbortSignal }) => ask("GET /cop/layers/{id}", { path: { id } }, { signal }),
    })),
  });
  const shown = [
    ...onCop.filter(({ id }) => isOn(id, true)),
    ...others.flatMap(({ data }) => (data ? [data.data] : [])),
  ].map(({ id, name, type, featureCollection: { features } }) => ({ id, name, type, features }));
  const time = useNow(picture);
  const now = at ? undefined : time;
  useLookAgain(picture, !at && onCop.some(({ counts }) => counts.stale > 0));
  useLivePicture(place, given, Boolean(at));
  return {
    ...{ picture, listed, shown, now },
    coming: beside.filter((_, index) => !others[index]?.data).map(({ name }) => name),
  };
}

/** Reads the picture again from time to time while something in it is stale: of its going no event tells. */
function useLookAgain({ refetch }: UseQueryResult<Picture>, hasStale: boolean): void {
  useEffect(() => {
    if (!hasStale) return undefined;
    const timer = setInterval(() => void refetch(), LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [hasStale, refetch]);
}

/** The server's time: as it was when the picture was read, and what has passed since; told anew from time to time. */
function useNow({ data, dataUpdatedAt }: Pick<UseQueryResult<Picture>, "data" | "dataUpdatedAt">): number | undefined {
  const readAt = data && Date.parse(data.data.at);
  const [tick, setTick] = useState({ since: 0, passed: 0 });
  useEffect(() => {
    const timer = setInterval(() => setTick({ since: dataUpdatedAt, passed: Date.now() - dataUpdatedAt }), TICK_MS);
    return () => clearInterval(timer);
  }, [dataUpdatedAt]);
  return readAt === undefined ? undefined : readAt + (tick.since === dataUpdatedAt ? tick.passed : 0);
}

/** Changes that come together cost one reading; and between readings some time passes, since a person's requests are counted. */
const SETTLE_MS = 300;
const BETWEEN_MS = 3_000;
/** After the whole picture was read, and not one layer of it. */
const AFTER_ALL_MS = 8_000;
/** What features may be is looked for once layers have changed, and no event tells of it. */
const COMPARED_AFTER_MS = 2_500;
const EVENTS = ["cop.layer.changed", "cop.conflict.changed", "telemetry.update", "activity.item"];
/** What layers are, and in which state, is told among the activity. */
const TELLS_OF_LAYERS = /^(?:layer|cop-watch)\./;

function useLivePicture(place: PicturePlace, given: object, isPast: boolean): void {
  const client = useQueryClient();
  const changes = useRef(new Map<string, LayerChange>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const compared = useRef<ReturnType<typeof setTimeout>>(undefined);
  const conflicts = useRef<ReturnType<typeof setTimeout>>(undefined);
  const next = useRef(0);
  const fixes = useRef(new Fixes());
  const pictureKey = ["GET /cop/picture", given];
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      clearTimeout(compared.current);
      clearTimeout(conflicts.current);
    },
    [],
  );

  function flush(): void {
    timer.current = undefined;
    const taken = [...changes.current.values()];
    next.current = Date.now() + (taken.length === 1 ? BETWEEN_MS : AFTER_ALL_MS);
    changes.current.clear();
    clearTimeout(compared.current);
    compared.current = setTimeout(
      () => void client.invalidateQueries({ queryKey: ["GET /cop/linkages/pending"] }),
      COMPARED_AFTER_MS,
    );
    void readChanged(client, pictureKey, taken);
  }
  const hear = (event: string, { data }: { data: any }): false | void => {
    if (isPast) return false;
    if (event === "cop.conflict.changed") {
      conflicts.current ??= setTimeout(() => {
        conflicts.current = undefined;
        void client.invalidateQueries({ queryKey: ["GET /cop/conflicts"] });
      }, BETWEEN_MS);
      return false;
    }
    if (event === "activity.item") return TELLS_OF_LAYERS.test(data.kind) ? undefined : false;
    if (event === "telemetry.update") {
      const found = fixes.current.note(data.readings);
      client.setQueryData<Picture>(
        pictureKey,
        (before) => before && (before.data.watched ? { data: withFixes(before.data, found) } : before),
        { updatedAt: client.getQueryState(pictureKey)?.dataUpdatedAt ?? 0 },
      );
      return false;
    }
    changes.current.set(data.layerId, together(changes.current.get(data.layerId), data));
    timer.current ??= setTimeout(flush, Math.max(SETTLE_MS, next.current - Date.now()));
    return false;
  };
  const { problemSetId } = place;
  useLive(problemSetId === undefined ? { topic: "cop" } : { problemSetId }, EVENTS, hear);
  useLive(problemSetId === undefined ? { topic: "telemetry" } : undefined, [], hear);
}

/** Reads the features that changes of one layer name, or the picture where several layers changed at once. */
async function readChanged(
  client: QueryClient,
  pictureKey: readonly unknown[],
  changes: readonly LayerChange[],
): Promise<void> {
  const [change] = changes;
  const picture = client.getQueryData<Picture>(pictureKey);
  const isOneOfIt = changes.length === 1 && picture?.data.layers.some(({ id }) => id === change!.layerId);
  if (!isOneOfIt) {
    await Promise.all([
      client.invalidateQueries({ queryKey: ["GET /cop/picture"] }),
      client.invalidateQueries({ queryKey: ["GET /cop/layers/{id}"] }),
    ]);
    return;
  }
  const features = namedBy(change!);
  try {
    const { data } = await ask("GET /cop/layers/{id}", {
      path: { id: change!.layerId },
      ...(features?.length && { query: { features } }),
    });
    client.setQueryData<Picture>(
      pictureKey,
      (before) => before && { data: withLayer(before.data, data, features?.length ? change : undefined) },
    );
  } catch {
    await client.invalidateQueries({ queryKey: ["GET /cop/picture"] });
  }
}
