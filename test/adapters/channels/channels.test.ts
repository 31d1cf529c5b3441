import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { channelsOf, type ChannelSettings, type DeliverableBriefing } from "../../../adapters/channels/index.ts";
import { mailer, MailError, type Mailer } from "../../../adapters/mail.ts";
import { outbound, type Outbound } from "../../../adapters/outbound/outbound.ts";

interface Received {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  body: any;
}
/** How the receiver behaves at its n-th request, from 0. */
type Behaviour = (
  attempt: number,
  request: Received,
) => { status: number; headers?: Record<string, string>; body?: string } | "hang" | "drop";

const servers: Server[] = [];
let http: Outbound;
beforeAll(() => {
  http = outbound({ allowPrivate: true, userAgent: "test" });
});
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});
afterAll(() => http.close());

async function receiver(behave: Behaviour): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on("data", (chunk: Buffer) => chunks.push(chunk))
      .on("end", () => {
        const one = {
          method: request.method!,
          url: request.url!,
          headers: request.headers,
          body: JSON.parse(Buffer.concat(chunks).toString()),
        };
        received.push(one);
        const answer = behave(received.length - 1, one);
        if (answer === "drop") request.socket.destroy();
        else if (answer !== "hang") response.writeHead(answer.status, answer.headers).end(answer.body ?? "");
      });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

const briefing: DeliverableBriefing = {
  id: 12,
  title: "Briefing, 3 Mar 2026: Harwick port blast",
  generatedAt: "2026-03-03T06:00:00Z",
  period: { from: "2026-03-02T06:00:00Z", to: "2026-03-03T06:00:00Z" },
  stats: { sources: 2, articles: 3, verified: 1 },
  articles: [4, 1],
  method: "heuristic",
  content:
    "# Briefing, 3 Mar 2026: Harwick port blast\n\n## In brief\n\n- **Security:** Rain & \\<wind\\> at the port. [#4](https://news.example/a?b=1&c=2)\n\n## Articles cited\n\n- [#4](https://news.example/a) A title. *Outlet*\n",
};

/** Channels whose pauses are noted, not waited for. */
function channels(settings: ChannelSettings, post: Pick<Outbound, "post"> = http, parts: { mailer?: Mailer } = {}) {
  const waits: number[] = [];
  return {
    waits,
    ...channelsOf(settings, post, {
      sleep: async (ms) => {
        waits.push(ms);
      },
      random: () => 1,
      ...parts,
    }),
  };
}

describe("a generic webhook", () => {
  const SECRET = "/hooks/very-secret-path";
  const to = async (behave: Behaviour) => {
    const { url, received } = await receiver(behave);
    return { received, made: channels({ webhookUrls: { ops: `${url}${SECRET}` } }) };
  };

  test("gets the briefing as JSON, once", async () => {
    const { received, made } = await to(() => ({ status: 204 }));
    expect(await made.deliver("webhook:ops", briefing)).toEqual({
      channel: "webhook:ops",
      success: true,
      kind: "delivered",
      attempts: 1,
    });
    expect(received).toEqual([expect.objectContaining({ method: "POST", url: SECRET, body: { briefing } })]);
    expect(received[0]!.headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "idempotency-key": "briefing-12-2026-03-03T06:00:00Z",
    });
  });

  test("gets nothing of a record but the briefing", async () => {
    const { received, made } = await to(() => ({ status: 200 }));
    await made.deliver("webhook:ops", {
      ...briefing,
      snapshot: { hidden: true },
      sourceIds: [1],
    } as DeliverableBriefing);
    expect(Object.keys(received[0]!.body.briefing).sort()).toEqual([
      "articles",
      "content",
      "generatedAt",
      "id",
      "method",
      "period",
      "stats",
      "title",
    ]);
  });

  test("is tried again after 500 and after a broken connection, under one key, with growing pauses", async () => {
    const { received, made } = await to((attempt) =>
      attempt === 0 ? { status: 500 } : attempt === 1 ? "drop" : { status: 200 },
    );
    expect(await made.deliver("webhook:ops", briefing)).toMatchObject({ success: true, attempts: 3 });
    expect(made.waits).toEqual([500, 1_000]);
    expect(new Set(received.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
  });

  test("is given up after three attempts, with the reason", async () => {
    const { received, made } = await to(() => ({ status: 503 }));
    expect(await made.deliver("webhook:ops", briefing)).toEqual({
      channel: "webhook:ops",
      success: false,
      kind: "failed",
      attempts: 3,
      error: "The receiver answered 503.",
    });
    expect(received).toHaveLength(3);
  });

  test.each([400, 401, 404, 410, 302])("that answers %i is not asked again", async (status) => {
    const { received, made } = await to(() => ({ status, headers: { location: "http://127.0.0.1:1/" } }));
    expect(await made.deliver("webhook:ops", briefing)).toMatchObject({
      success: false,
      attempts: 1,
      error: `The receiver answered ${status}.`,
    });
    expect(received).toHaveLength(1);
  });

  test("that is too busy is asked again when it wishes, in seconds or by a date", async () => {
    const { made } = await to((attempt) =>
      attempt < 2
        ? { status: 429, headers: { "retry-after": attempt === 0 ? "7" : new Date(Date.now() + 20_000).toUTCString() } }
        : { status: 200 },
    );
    expect(await made.deliver("webhook:ops", briefing)).toMatchObject({ success: true, attempts: 3 });
    expect(made.waits[0]).toBe(7_000);
    expect(made.waits[1]).toBeGreaterThan(10_000);
    expect(made.waits[1]).toBeLessThanOrEqual(20_000);
  });

  test("that wants a long pause is told of as failed, not waited for", async () => {
    const { made } = await to(() => ({ status: 429, headers: { "retry-after": "3600" } }));
    expect(await made.deliver("webhook:ops", briefing)).toMatchObject({
      success: false,
      attempts: 1,
      error: "The receiver answered 429. It asks for a pause of 3600 s.",
    });
    expect(made.waits).toEqual([]);
  });

  test("that never answers fails in time", async () => {
    const { url } = await receiver(() => "hang");
    const impatient: Pick<Outbound, "post"> = {
      post: (address, options) => http.post(address, { ...options, timeoutMs: 60 }),
    };
    const made = channels({ webhookUrls: { ops: url } }, impatient);
    expect(await made.deliver("webhook:ops", briefing)).toMatchObject({
      success: false,
      attempts: 3,
      error: "The receiver did not answer in time.",
    });
  });

  test("that is not there, not resolvable or not allowed fails in words without its address", async () => {
    const { url } = await receiver(() => ({ status: 200 }));
    servers[0]!.close();
    const closed = channels({ webhookUrls: { ops: `${url}${SECRET}?token=abc` } });
    const guarded = outbound({ allowPrivate: false, userAgent: "test" });
    const blocked = channels({ webhookUrls: { ops: `${url}${SECRET}?token=abc` } }, guarded);
    const results = [await closed.deliver("webhook:ops", briefing), await blocked.deliver("webhook:ops", briefing)];
    await guarded.close();
    expect(results.map(({ error, attempts }) => [error, attempts])).toEqual([
      ["The receiver cannot be reached, or it broke off the connection.", 3],
      ["The receiver's address may not be reached from here.", 1],
    ]);
    expect(JSON.stringify(results)).not.toMatch(/secret|token=|127\.0\.0\.1/);
  });

  test("is not asked any more once the caller has gone", async () => {
    const stop = new AbortController();
    const { received, made } = await to(() => {
      stop.abort();
      return { status: 500 };
    });
    expect(await made.deliver("webhook:ops", briefing, { signal: stop.signal })).toMatchObject({
      success: false,
      error: "The delivery was cancelled.",
    });
    expect(received).toHaveLength(1);
    expect(await made.deliver("webhook:ops", briefing, { signal: stop.signal })).toMatchObject({
      success: false,
      attempts: 0,
    });
  });

  test("never makes the caller throw, whatever the client throws", async () => {
    for (const thrown of [new Error("https://secret.example/hook failed"), "text", null, { kind: "constructor" }]) {
      const made = channels(
        { webhookUrls: { ops: "https://secret.example/hook" } },
        { post: () => Promise.reject(thrown) },
      );
      const result = await made.deliver("webhook:ops", briefing);
      expect(result).toMatchObject({ success: false, kind: "failed" });
      expect(result.error).not.toContain("secret");
    }
  });
});

describe("a Slack-compatible webhook", () => {
  const section =
    "*In brief*\n\n• *Security:* Rain &amp; &lt;wind&gt; at the port. <https://news.example/a?b=1&amp;c=2|#4>";

  test("gets a header and sections, with links and without the list of sources; all of it as text for receivers without blocks", async () => {
    const { url, received } = await receiver(() => ({ status: 200, body: "ok" }));
    expect(await channels({ slackWebhookUrl: url }).deliver("slack", briefing)).toMatchObject({ success: true });
    expect(received[0]!.body).toEqual({
      text: `*${briefing.title}*\n\n${section}`,
      unfurl_links: false,
      unfurl_media: false,
      blocks: [
        { type: "header", text: { type: "plain_text", text: briefing.title, emoji: false } },
        { type: "section", text: { type: "mrkdwn", verbatim: true, text: section } },
      ],
    });
  });

  test("says why it refuses in its one word, and nothing else it says is passed on", async () => {
    const words = await receiver((attempt) => ({
      status: 404,
      body: attempt === 0 ? "no_service" : "<html>secret</html>",
    }));
    const made = channels({ slackWebhookUrl: words.url });
    expect(await made.deliver("slack", briefing)).toMatchObject({ error: "The receiver answered 404: no_service." });
    expect(await made.deliver("slack", briefing)).toMatchObject({ error: "The receiver answered 404." });
  });
});

describe("a Telegram-like chat", () => {
  const bot = (baseUrl: string) => ({ telegram: { botToken: "123:secret-token", chatId: "-100", baseUrl } });

  test("gets messages in its HTML, without previews", async () => {
    const { url, received } = await receiver(() => ({ status: 200, body: '{"ok":true}' }));
    expect(await channels(bot(`${url}/`)).deliver("telegram", briefing)).toMatchObject({ success: true, attempts: 1 });
    expect(received[0]).toMatchObject({
      url: "/bot123:secret-token/sendMessage",
      body: { chat_id: "-100", parse_mode: "HTML", link_preview_options: { is_disabled: true } },
    });
    expect(received[0]!.body.text).toBe(
      '<b>Briefing, 3 Mar 2026: Harwick port blast</b>\n\n<b>In brief</b>\n\n• <b>Security:</b> Rain &amp; &lt;wind&gt; at the port. <a href="https://news.example/a?b=1&amp;c=2">#4</a>',
    );
  });

  test("is obeyed when it asks for a pause, and quoted when it says why it refuses; the token is in no answer", async () => {
    const busy = await receiver((attempt) =>
      attempt === 0
        ? {
            status: 429,
            body: '{"ok":false,"error_code":429,"description":"Too Many Requests: retry after 4","parameters":{"retry_after":4}}',
          }
        : { status: 400, body: '{"ok":false,"error_code":400,"description":"Bad Request: chat not found"}' },
    );
    const made = channels(bot(busy.url));
    const result = await made.deliver("telegram", briefing);
    expect(made.waits).toEqual([4_000]);
    expect(result).toEqual({
      channel: "telegram",
      success: false,
      kind: "failed",
      attempts: 2,
      error: "The receiver answered 400: Bad Request: chat not found.",
    });
    const odd = await receiver(() => ({
      status: 403,
      body: '{"description":"see https://evil.example/123:secret-token"}',
    }));
    expect((await channels(bot(odd.url)).deliver("telegram", briefing)).error).toBe("The receiver answered 403.");
  });

  test("a long briefing goes in parts in order; where one fails the rest is left out and the part is named", async () => {
    const long = {
      ...briefing,
      content: Array.from({ length: 60 }, (_, index) => `- Statement ${index} ${"word ".repeat(30)}`).join("\n"),
    };
    const whole = await receiver(() => ({ status: 200, body: "{}" }));
    expect(await channels(bot(whole.url)).deliver("telegram", long)).toMatchObject({ success: true, attempts: 1 });
    expect(whole.received.length).toBeGreaterThan(2);
    expect(whole.received.flatMap(({ body }) => String(body.text).match(/Statement \d+/g)!)).toEqual(
      Array.from({ length: 60 }, (_, index) => `Statement ${index}`),
    );
    const failing = await receiver((attempt) =>
      attempt === 1 ? { status: 400, body: "{}" } : { status: 200, body: "{}" },
    );
    expect(await channels(bot(failing.url)).deliver("telegram", long)).toMatchObject({
      success: false,
      error: expect.stringMatching(/^Part 2 of \d+: The receiver answered 400\.$/),
    });
    expect(failing.received).toHaveLength(2);
  });
});

describe("mail", () => {
  test("without a server is kept in the outbox, and the result says so", async () => {
    const post = mailer({ from: "Desk <desk@example.org>" });
    const made = channels({ emailTo: ["a@example.org", "b@example.org"] }, http, { mailer: post });
    expect(await made.deliver("email", briefing)).toEqual({
      channel: "email",
      success: true,
      kind: "delivered",
      attempts: 1,
      note: "Sent to nobody: without SMTP_URL mail is kept in this process alone.",
    });
    expect(post.outbox().map(({ to }) => to)).toEqual([["b@example.org"], ["a@example.org"]]);
    expect(post.outbox()[0]).toMatchObject({
      subject: briefing.title,
      text: expect.stringContaining("- Security: Rain & <wind> at the port. [#4]"),
      html: expect.stringContaining("Rain &amp; &lt;wind&gt; at the port."),
    });
  });

  test("goes to the address named, under one message id however often it is sent", async () => {
    const post = mailer({ from: "desk@example.org" });
    const made = channels({}, http, { mailer: post });
    await made.deliver("email:Someone+tag@Example.org", briefing);
    await made.deliver("email:Someone+tag@Example.org", briefing);
    expect(new Set(post.outbox().map(({ messageId }) => messageId)).size).toBe(1);
    expect(post.outbox()[0]!.to).toEqual(["Someone+tag@Example.org"]);
  });

  test("that one of several receivers refuses reaches the others; what may pass is tried again", async () => {
    const tried: string[] = [];
    const post: Mailer = {
      configured: true,
      outbox: () => [],
      async send({ to }) {
        tried.push(String(to));
        if (to === "gone@example.org")
          throw new MailError("The mail server refuses the sender or the recipient (550).", false);
        if (to === "slow@example.org" && tried.filter((each) => each === to).length < 3)
          throw new MailError("The mail server did not answer in time.", true);
        return { via: "smtp", messageId: "x@y", refused: [] };
      },
    };
    const result = await channels({ emailTo: ["gone@example.org", "slow@example.org", "fine@example.org"] }, http, {
      mailer: post,
    }).deliver("email", briefing);
    expect(result).toEqual({
      channel: "email",
      success: false,
      kind: "failed",
      attempts: 3,
      error: "1 of 3 recipients got nothing. The mail server refuses the sender or the recipient (550).",
    });
    expect(tried).toEqual([
      "gone@example.org",
      "slow@example.org",
      "slow@example.org",
      "slow@example.org",
      "fine@example.org",
    ]);
  });
});

describe("names", () => {
  const made = channels({
    webhookUrls: { ops: "https://a.example/", press: "https://b.example/" },
    slackWebhookUrl: "https://c.example/",
  });

  test("that denote no channel are the caller's mistake, told apart from channels without settings", async () => {
    for (const name of [
      "",
      "pigeon",
      "webhook",
      "webhook:",
      "webhook:other",
      "webhook:__proto__",
      "email:",
      "email:nobody",
      "email:a@b.example,c@d.example",
      "email:a@b.example\r\nBcc: x@y.example",
      "slack:general",
      "telegram:1",
      "Slack",
      "constructor",
    ]) {
      expect(made.knows(name)).toBe(false);
      expect(await made.deliver(name, briefing)).toEqual({
        channel: name,
        success: false,
        kind: "unknown",
        attempts: 0,
        error: "There is no such channel.",
      });
    }
    expect(made.knows("telegram")).toBe(true);
    expect(await made.deliver("telegram", briefing)).toEqual({
      channel: "telegram",
      success: false,
      kind: "not-configured",
      attempts: 0,
      error: "The channel is not configured; it needs TELEGRAM_BOT_TOKEN and TELEGRAM_CHAT_ID.",
    });
    expect(await made.deliver("email", briefing)).toMatchObject({ kind: "not-configured" });
  });

  test("all that could be are listed, with what they need and no address of a receiver", () => {
    expect(made.known()).toEqual([
      { name: "email", configured: false, needs: expect.stringContaining("BRIEFING_EMAIL_TO") },
      { name: "email:<address>", configured: false, needs: expect.stringContaining("SMTP_URL") },
      { name: "slack", configured: true, needs: "SLACK_WEBHOOK_URL" },
      { name: "telegram", configured: false, needs: expect.stringContaining("TELEGRAM_BOT_TOKEN") },
      { name: "webhook:ops", configured: true, needs: "DELIVERY_WEBHOOKS" },
      { name: "webhook:press", configured: true, needs: "DELIVERY_WEBHOOKS" },
    ]);
    expect(JSON.stringify(made.known())).not.toContain("example");
    expect(channels({}).known().at(-1)).toEqual({
      name: "webhook:<name>",
      configured: false,
      needs: "DELIVERY_WEBHOOKS",
    });
    expect(channels({ webhookUrls: { only: "https://a.example/" } }).knows("webhook")).toBe(true);
  });
});
