import type { TestWorld } from "../mesh.ts";
import { as, type Person } from "../workspace/people.ts";

export interface Heard {
  event: string;
  id?: string | undefined;
  data: any;
}

/** A client of a channel's stream, as one who knows nothing of us would write it; leaving it cuts the connection. */
export async function* events(
  at: Pick<TestWorld, "url">,
  who: Pick<Person, "token">,
  path: string,
  lastEventId?: string | number,
): AsyncGenerator<Heard> {
  const abort = new AbortController();
  const reply = await fetch(at.url + path, {
    signal: abort.signal,
    headers: {
      authorization: `Bearer ${who.token}`,
      ...(lastEventId !== undefined && { "last-event-id": String(lastEventId) }),
    },
  });
  if (reply.status !== 200) throw new Error(`${reply.status} ${await reply.text()}`);
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for await (const chunk of reply.body!) {
      const blocks = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split("\n\n");
      rest = blocks.pop()!;
      for (const block of blocks) {
        const field = (name: string): string | undefined => block.match(new RegExp(`^${name}: (.*)$`, "m"))?.[1];
        const event = field("event");
        if (event) yield { event, id: field("id"), data: JSON.parse(field("data")!) };
      }
    }
  } finally {
    abort.abort();
  }
}

/** The next so many events. */
export async function take(stream: AsyncGenerator<Heard>, most: number): Promise<Heard[]> {
  const heard: Heard[] = [];
  while (heard.length < most) {
    const next = await stream.next();
    if (next.done) break;
    heard.push(next.value);
  }
  return heard;
}

/** Publishing and hearing in one channel of a problem set, as somebody. */
export function inChannel(
  at: TestWorld,
  channel: string,
  place: { problemSetId?: string; compartments?: string[] } = {},
) {
  const query = new URLSearchParams({
    ...(place.problemSetId && { problemSetId: place.problemSetId }),
    ...(place.compartments?.length && { compartments: place.compartments.join(",") }),
  }).toString();
  const path = (tail: string): string => `/api/messages/channels/${channel}${tail}`;
  return {
    publish: (who: Person, fields: object = {}, headers?: Record<string, string>) =>
      as(at, who)(
        "POST",
        "/api/messages",
        { channel, ...place, type: "test.message.sent", payload: {}, ...fields },
        headers,
      ),
    subscribe: (who: Person, rules: object = {}) => as(at, who)("POST", path("/subscribe"), { ...place, ...rules }),
    unsubscribe: (who: Person) => as(at, who)("DELETE", `${path("/subscribe")}?${query}`),
    next: (who: Person, limit = 10) => as(at, who)("POST", path("/next"), { ...place, limit }),
    stream: (who: Person, lastEventId?: string | number) => events(at, who, `${path("/stream")}?${query}`, lastEventId),
    shown: async (who: Person) =>
      (
        await as(at, who)("GET", `/api/messages/channels?limit=100&${query.replace(/&?compartments=[^&]*/, "")}`)
      ).body.data.find(
        (one: any) => one.channel === channel && one.compartments.join() === (place.compartments ?? []).join(),
      ),
  };
}
