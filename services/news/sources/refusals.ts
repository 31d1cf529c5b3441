/** Why an HTTP answer is no feed: a kind for programs, a sentence for people. */
export interface FeedRefusal {
  kind: string;
  message: string;
}

const SENTENCES: Record<number, (host: string) => FeedRefusal> = {
  204: (host) => ({ kind: "empty", message: `${host} answers without any content (204).` }),
  401: (host) => ({ kind: "unauthorized", message: `${host} asks for a login (401).` }),
  403: (host) => ({ kind: "forbidden", message: `${host} does not let us read the feed (403).` }),
  404: () => ({ kind: "not-found", message: "There is nothing at this address (404)." }),
  410: () => ({ kind: "gone", message: "The publisher has removed the feed for good (410)." }),
  429: (host) => ({ kind: "rate-limited", message: `${host} asks us to come less often (429).` }),
};

/**
 * What is wrong with an answer of this status, or undefined where its body may be a feed. `conditional`: a 304 was
 * possible.
 */
export function feedRefusal(status: number, host: string, conditional: boolean): FeedRefusal | undefined {
  const known = SENTENCES[status];
  if (known) return known(host);
  if (status >= 500) return { kind: "server-error", message: `${host} has trouble of its own (${status}).` };
  if (status === 304)
    return conditional
      ? undefined
      : { kind: "protocol", message: `${host} says that nothing changed (304), but was not asked that.` };
  if (status >= 200 && status < 300) return undefined;
  return { kind: "http", message: `${host} answers with status ${status}.` };
}

/** 404 and 410: the feed is gone, there is no use in trying often. */
export const isGone = (status: number | undefined): boolean => status === 404 || status === 410;
