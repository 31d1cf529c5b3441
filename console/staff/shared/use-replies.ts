import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { Op } from "../../api/client.ts";
import { useLive, useLineState } from "../../live/live.ts";
import { forPeople, furthest, isOver, withPart, type ReplyPart, type Written } from "./reply.ts";

/** What a reply of any chat has. */
interface Owed extends Written {
  id: string;
  status: string;
}
interface Chat {
  /** Events begin with this: `assistant.reply`, `staff.reply`. */
  events: string;
  /** A shared chat is heard in its problem set; without it, what is sent to this person alone. */
  problemSetId?: string | undefined;
  /** Where the stored text is read. */
  history: Op;
}

/** While replies are owed, their stored text is looked at this often: the socket is quick, the store is sure. */
const LOOK_MS = 10_000;
const LOOK_ALONE_MS = 2_000;

/** Replies as they are written: parts by the socket, and the stored text after any gap. */
export function useReplies(
  { events, problemSetId, history }: Chat,
  rows: readonly Owed[],
): { textOf(row: Owed): string; said: string } {
  const client = useQueryClient();
  const heard = useRef(new Map<string, Written>());
  const [, setHeardAt] = useState(0);
  const latest = useRef(rows);
  useEffect(() => {
    latest.current = rows;
  });

  function hear(_event: string, { data }: { data: ReplyPart & { messageId: string } }): void {
    const { messageId } = data;
    const stored = latest.current.find(({ id }) => id === messageId) ?? { attempt: data.attempt, text: "" };
    const now = withPart(furthest(stored, heard.current.get(messageId)), data);
    if (!now) return void client.invalidateQueries({ queryKey: [history] });
    heard.current.set(messageId, now);
    setHeardAt(Date.now() + now.text.length);
  }
  const place = problemSetId === undefined ? undefined : { problemSetId };
  useLive(place, [`${events}.delta`], hear, { ops: [] });
  useLive(place, [`${events}.done`], undefined, { ops: [history] });

  const isConnected = useLineState() !== false;
  const isOwed = rows.some(({ status }) => !isOver(status));
  useEffect(() => {
    if (!isOwed) return undefined;
    const look = (): void => void client.invalidateQueries({ queryKey: [history] });
    const timer = setInterval(look, isConnected ? LOOK_MS : LOOK_ALONE_MS);
    return () => clearInterval(timer);
  }, [client, history, isOwed, isConnected]);

  return {
    textOf: (row) => (isOver(row.status) ? row.text : furthest(row, heard.current.get(row.id)).text),
    said: useAnnouncement(rows),
  };
}

/** For screen readers: that an answer is being written, and then the whole of it, once. */
function useAnnouncement(rows: readonly Owed[]): string {
  const owed = useRef(new Set<string>());
  const [said, setSaid] = useState("");
  useEffect(() => {
    for (const { id, status, text } of rows) {
      if (!isOver(status)) {
        if (!owed.current.has(id)) setSaid("The answer is being written.");
        owed.current.add(id);
      } else if (owed.current.delete(id))
        setSaid(text ? `The answer: ${forPeople(text).replaceAll("`", "")}` : "There is no answer.");
    }
  }, [rows]);
  return said;
}
