import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { io, type Socket } from "socket.io-client";
import { isSomebodyHere, lookAgainWhoIsHere, queries, readAgain, shown } from "../api/queries.ts";
import { readSoon } from "./pace.ts";

/** What a live event brings; see /api/asyncapi.json for each event's data. */
export interface Envelope {
  id: string;
  time: string;
  problemSetId?: string;
  topic?: string;
  data: any;
}
type Place = { problemSetId: string } | { topic: string };

/** socket.io comes back by itself after the connection broke, not after the server ended or refused it. */
const ENDED_MS = 1_000,
  REFUSED_MS = 10_000;

let socket: Socket | undefined;
/** How many parts of the page want each place. */
const wanted = new Map<string, number>();
const watchers = new Set<() => void>();

/** One socket for the page, opened at the first use, under the session's cookie. */
function line(): Socket {
  if (socket) return socket;
  socket = io("/live", { transports: ["websocket", "polling"], reconnectionDelayMax: 10_000 });
  // The server forgets subscriptions with the connection.
  socket.on("connect", () => {
    for (const place of wanted.keys()) socket!.emit("subscribe", JSON.parse(place));
  });
  // Its person may do something else now, or nothing any more.
  socket.on("live.ended", () => void lookAgainWhoIsHere());
  socket.on("live.unsubscribed", outOfSight);
  // Where the account itself may something else, so may the frame.
  socket.on("live.access", ({ problemSetId }: { problemSetId?: string }) => {
    outOfSight();
    if (problemSetId === undefined) void lookAgainWhoIsHere();
  });
  const own = socket;
  // A node that stops ends it for all at once: they do not come back at one moment.
  own.on("disconnect", (why) => why === "io server disconnect" && dialSoon(own, ENDED_MS * (1 + 3 * Math.random())));
  own.on("connect_error", () => !own.active && dialSoon(own, REFUSED_MS));
  for (const change of ["connect", "disconnect", "connect_error"])
    socket.on(change, () => watchers.forEach((tell) => tell()));
  return socket;
}

/** What was shown may be hidden now, and what is kept of earlier pages as well. */
function outOfSight(): void {
  queries.removeQueries({ ...shown, type: "inactive" });
  void readAgain();
}

/** Connects again if the session stands, and reads what came meanwhile. */
function dialSoon(own: Socket, after: number): void {
  setTimeout(async () => {
    if (own !== socket || own.connected) return;
    await lookAgainWhoIsHere();
    if (own !== socket || own.connected || !isSomebodyHere()) return;
    own.once("connect", () => void readAgain());
    own.connect();
  }, after);
}

/** Connects again, under the session that the person has now. */
export function redial(): void {
  socket?.disconnect().connect();
}

/** Ends the line, at sign-out: the next one is somebody else's. */
export function hangUp(): void {
  socket?.disconnect();
  socket = undefined;
}

function follow(place: Place): () => void {
  const key = JSON.stringify(place);
  const count = wanted.get(key) ?? 0;
  wanted.set(key, count + 1);
  if (!count && line().connected) line().emit("subscribe", place);
  return () => {
    const left = wanted.get(key)! - 1;
    if (left) return void wanted.set(key, left);
    wanted.delete(key);
    socket?.emit("unsubscribe", place);
  };
}

interface Rereading {
  /** What is read again: operations that begin so; everything without it, nothing where it is empty. */
  ops?: readonly string[];
}

/**
 * Reads again what the page shows when one of these events comes; `hear` is called with each of them,
 * and answers false where it has seen to the event itself, so that nothing is read again. `place` is a problem set or a
 * topic; without one, what is sent to this person alone.
 */
export function useLive(
  place: Place | undefined,
  events: readonly string[],
  hear?: (event: string, told: Envelope) => boolean | void,
  { ops }: Rereading = {},
): void {
  const client = useQueryClient();
  const latest = useRef(hear);
  useEffect(() => {
    latest.current = hear;
  });
  const [key, names, reread] = [place ? JSON.stringify(place) : "", events.join(), ops && ops.join()];
  useEffect(() => {
    const refresh = (): void =>
      readSoon(reread?.split(",").filter(Boolean), (isMeant) => {
        void client.invalidateQueries({
          predicate: (query) => shown.predicate(query) && !query.meta?.["stays"] && isMeant(query.queryKey[0]),
        });
      });
    const heard = names.split(",").map((event) => {
      const on = (told: Envelope): void => {
        if (latest.current?.(event, told) !== false) refresh();
      };
      line().on(event, on);
      return () => socket?.off(event, on);
    });
    // What came while the connection was away is in the lists.
    const back = (): void => refresh();
    line().io.on("reconnect", back);
    const leave = key ? follow(JSON.parse(key)) : undefined;
    return () => {
      heard.forEach((off) => off());
      socket?.io.off("reconnect", back);
      leave?.();
    };
  }, [client, key, names, reread]);
}

/** Whether live events arrive; undefined before the first use. */
export const useLineState = (): boolean | undefined =>
  useSyncExternalStore(
    (tell) => {
      watchers.add(tell);
      return () => watchers.delete(tell);
    },
    () => socket?.connected,
  );
