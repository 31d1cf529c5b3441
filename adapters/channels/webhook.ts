import { postOnce } from "./http.ts";
import type { HttpPost, Send } from "./port.ts";

/**
 * A generic webhook: POST `{briefing}`. Every attempt has the same key, so that the receiver can recognise a
 * repetition.
 */
export const webhook =
  (http: HttpPost, url: string): Send =>
  ({ id, title, content, generatedAt, period, stats, articles, method }, persist) =>
    persist((signal) =>
      postOnce(
        http,
        url,
        {
          headers: { "idempotency-key": `briefing-${id}-${generatedAt}` },
          body: { briefing: { id, title, content, generatedAt, period, stats, articles, method } },
        },
        signal,
      ),
    );
