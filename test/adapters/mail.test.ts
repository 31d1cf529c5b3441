import type { AddressInfo } from "node:net";
import { createServer, type Server } from "node:net";
import fc from "fast-check";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { isMailAddress, mailer, MailError } from "../../adapters/mail.ts";

interface Received {
  from: string;
  to: string[];
  source: string;
  secure: boolean;
  user?: unknown;
}

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A real SMTP server on loopback that keeps what it takes. */
async function smtp(
  options: SMTPServerOptions = {},
): Promise<{ url: (credentials?: string, query?: string) => string; received: Received[] }> {
  const received: Received[] = [];
  const server = new SMTPServer({
    logger: false,
    authOptional: true,
    disableReverseLookup: true,
    disabledCommands: ["STARTTLS"],
    closeTimeout: 50,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream
        .on("data", (chunk: Buffer) => chunks.push(chunk))
        .on("end", () => {
          const { mailFrom, rcptTo } = session.envelope;
          received.push({
            from: mailFrom ? mailFrom.address : "",
            to: rcptTo.map(({ address }) => address),
            source: Buffer.concat(chunks).toString(),
            secure: session.secure,
            user: session.user,
          });
          done();
        });
    },
    ...options,
  });
  server.on("error", () => undefined);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve());
  });
  closing.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
      }),
  );
  const { port } = server.server.address() as AddressInfo;
  return { received, url: (credentials = "", query = "") => `smtp://${credentials}127.0.0.1:${port}${query}` };
}

/** Something that listens where a mail server should be. */
async function oddServer(behave: (socket: import("node:net").Socket) => void): Promise<string> {
  const sockets = new Set<import("node:net").Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    behave(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(
    () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  );
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const from = "Signalmesh Desk <desk@example.org>";
const mail = {
  to: "analyst@example.org",
  subject: "Briefing, 3 Mär 2026",
  text: "Hello\n.\nWorld",
  html: "<p>Hello</p>",
};
const failing = async (work: Promise<unknown>): Promise<MailError> => {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(MailError);
  return error as MailError;
};

describe("with a server", () => {
  test("a message arrives whole, in text and HTML, from the sender of the settings", async () => {
    const { url, received } = await smtp();
    const post = mailer({ smtpUrl: url(), from }, () => Date.parse("2026-03-03T06:00:00Z"));
    expect(post.configured).toBe(true);
    expect(await post.send({ ...mail, messageId: "briefing-12-abc@signalmesh" })).toEqual({
      via: "smtp",
      messageId: "briefing-12-abc@signalmesh",
      refused: [],
    });
    expect(post.outbox()).toEqual([]);
    const [{ source, ...envelope }] = received as [Received];
    expect(envelope).toMatchObject({ from: "desk@example.org", to: ["analyst@example.org"], secure: false });
    expect(source).toContain("From: Signalmesh Desk <desk@example.org>");
    expect(source).toContain("To: analyst@example.org");
    expect(source).toContain("Message-ID: <briefing-12-abc@signalmesh>");
    expect(source).toContain("Date: Tue, 03 Mar 2026 06:00:00 +0000");
    expect(source).toMatch(/Subject: =\?UTF-8\?[QB]\?/);
    expect(source).toMatch(
      /Content-Type: text\/plain; charset=utf-8[^]*Hello\r\n\.\r\nWorld[^]*Content-Type: text\/html/,
    );
  });

  test("user and password are given where the URL has them, percent-decoded", async () => {
    const seen: unknown[] = [];
    const { url, received } = await smtp({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth({ username, password }, _session, done) {
        seen.push([username, password]);
        if (password === "p@ss/word") done(null, { user: username });
        else done(new Error("535 no"));
      },
    });
    await mailer({ smtpUrl: url("user%40x:p%40ss%2Fword@"), from }).send(mail);
    expect(seen).toEqual([["user@x", "p@ss/word"]]);
    expect(received[0]!.user).toBe("user@x");
    const error = await failing(mailer({ smtpUrl: url("user:secret-wrong@"), from }).send(mail));
    expect(error).toMatchObject({
      message: "The mail server does not accept the user and password of SMTP_URL.",
      temporary: false,
    });
  });

  test("the connection is encrypted where the server offers it", async () => {
    const { url, received } = await smtp({ disabledCommands: [] });
    await mailer({ smtpUrl: url(), from }).send(mail);
    await mailer({ smtpUrl: url("", "?tls=off"), from }).send(mail);
    expect(received.map(({ secure }) => secure)).toEqual([true, false]);
  });

  test("where encryption is required and not offered nothing is sent, least of all the password", async () => {
    const commands: string[] = [];
    const url = await oddServer((socket) => {
      socket.write("220 mail ready\r\n");
      socket.on("data", (chunk) => {
        commands.push(chunk.toString());
        socket.write(chunk.toString().startsWith("EHLO") ? "250-mail\r\n250 AUTH PLAIN LOGIN\r\n" : "500 what?\r\n");
      });
    });
    const error = await failing(
      mailer({ smtpUrl: `${url.replace("//", "//user:secret@")}?tls=required`, from }).send(mail),
    );
    expect(error).toMatchObject({
      message: "The mail server offers no encrypted connection that can be trusted.",
      temporary: false,
    });
    expect(commands.join("")).not.toMatch(/AUTH|MAIL/);
  });

  test("a refused recipient is final, a busy server is not, and neither is quoted", async () => {
    const { url } = await smtp({
      onRcptTo({ address }, _session, done) {
        const code = address.startsWith("gone") ? 550 : address.startsWith("later") ? 451 : 0;
        if (code) done(Object.assign(new Error(`secret internal host says no to ${address}`), { responseCode: code }));
        else done();
      },
    });
    const post = mailer({ smtpUrl: url(), from });
    expect(await failing(post.send({ ...mail, to: "gone@example.org" }))).toMatchObject({
      message: "The mail server refuses the sender or the recipient (550).",
      temporary: false,
    });
    expect(await failing(post.send({ ...mail, to: "later@example.org" }))).toMatchObject({
      message: "The mail server refuses the sender or the recipient for the moment (451).",
      temporary: true,
    });
    expect(await post.send({ ...mail, to: ["gone@example.org", "here@example.org"] })).toMatchObject({
      via: "smtp",
      refused: ["gone@example.org"],
    });
  });

  test("a message that the server does not want is final", async () => {
    const { url } = await smtp({
      onData(stream, _session, done) {
        stream.resume().on("end", () => done(Object.assign(new Error("spam"), { responseCode: 554 })));
      },
    });
    expect(await failing(mailer({ smtpUrl: url(), from }).send(mail))).toMatchObject({
      message: "The mail server refuses the message (554).",
      temporary: false,
    });
  });

  test.each([
    [
      "drops the connection at once",
      (socket: import("node:net").Socket) => socket.destroy(),
      "cannot be reached, or it broke off",
    ],
    [
      "drops it in the middle",
      (socket: import("node:net").Socket) => {
        socket.write("220 mail\r\n");
        socket.on("data", () => socket.destroy());
      },
      "cannot be reached, or it broke off",
    ],
    ["never says a word", () => undefined, "did not answer in time"],
    [
      "greets and falls silent",
      (socket: import("node:net").Socket) => {
        socket.write("220 mail\r\n");
      },
      "did not answer in time",
    ],
    [
      "speaks another protocol",
      (socket: import("node:net").Socket) => {
        socket.end("HTTP/1.1 400 Bad Request\r\n\r\n");
      },
      "The mail server",
    ],
  ])("a server that %s is a temporary failure", async (_what, behave, words) => {
    const error = await failing(mailer({ smtpUrl: await oddServer(behave), from, timeoutMs: 250 }).send(mail));
    expect(error.message).toContain(words);
    expect(error.temporary).toBe(true);
    expect(error.message).not.toMatch(/127\.0\.0\.1/);
  });

  test("no server at all is a temporary failure; a caller who leaves is no failure to repeat", async () => {
    const url = await oddServer(() => undefined);
    await closing.pop()!();
    expect(await failing(mailer({ smtpUrl: url, from }).send(mail))).toMatchObject({ temporary: true });
    const silent = await oddServer(() => undefined);
    const leaving = AbortSignal.timeout(50);
    expect(await failing(mailer({ smtpUrl: silent, from }).send(mail, { signal: leaving }))).toMatchObject({
      message: "Sending was cancelled.",
      temporary: false,
    });
  });
});

describe("no header can be written from outside", () => {
  test("a subject stays one line, whatever is in it", async () => {
    const { url, received } = await smtp();
    await mailer({ smtpUrl: url(), from }).send({
      ...mail,
      subject: "Briefing\r\nBcc: evil@example.org\r\n\r\nbody\u2028\u0000 end",
    });
    const headers = received[0]!.source.split("\r\n\r\n")[0]!;
    expect(headers).not.toMatch(/^(?:Bcc|body)/m);
    expect(received[0]!.to).toEqual(["analyst@example.org"]);
  });

  test.each([
    "",
    "nobody",
    "a@b.example, c@d.example",
    "a@b.example\r\nBcc: c@d.example",
    "A <a@b.example>",
    "a b@c.example",
    "a@b..example",
    "@b.example",
    "a@",
    "a@-b.example",
    `${"a".repeat(65)}@b.example`,
    "group:a@b.example;",
  ])("%j is no recipient", async (to) => {
    expect(await failing(mailer({ from }).send({ ...mail, to }))).toMatchObject({ temporary: false });
    expect(isMailAddress(to)).toBe(false);
  });

  test("a message id that is not one is replaced", async () => {
    const { messageId } = await mailer({ from }).send({ ...mail, messageId: "x@y>\r\nBcc: <z@z" });
    expect(messageId).toMatch(/^[0-9a-f-]{36}@example\.org$/);
  });

  test("whatever passes for an address has no space, bracket, comma or line break, and one domain", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.emailAddress(),
          fc.string({ maxLength: 40 }),
          fc.tuple(fc.string(), fc.domain()).map((parts) => parts.join("@")),
        ),
        (text) => {
          if (isMailAddress(text)) expect(text).not.toMatch(/[\s,;:<>()[\]\\"]/);
        },
      ),
      { numRuns: 2_000 },
    );
    for (const fine of ["a@b.example", "first.last+tag@sub.example.org", "user@localhost", "o'neil@bücher.example"])
      expect(isMailAddress(fine)).toBe(true);
  });
});

describe("without a server", () => {
  test("messages wait in the outbox, newest first, and the result says so", async () => {
    const post = mailer({ from }, () => Date.parse("2026-03-03T06:00:00Z"));
    expect(post.configured).toBe(false);
    const sent = await post.send(mail);
    expect(sent).toMatchObject({ via: "outbox", refused: [] });
    await post.send({ ...mail, to: ["x@example.org", "y@example.org"], subject: "Second\nline" });
    expect(post.outbox()).toEqual([
      {
        to: ["x@example.org", "y@example.org"],
        subject: "Second line",
        text: mail.text,
        html: mail.html,
        messageId: expect.any(String),
        at: "2026-03-03T06:00:00.000Z",
      },
      expect.objectContaining({ subject: mail.subject, messageId: sent.messageId }),
    ]);
  });
  test("it keeps the last two hundred", async () => {
    const post = mailer({ from });
    for (let number = 0; number < 250; number++) await post.send({ ...mail, subject: String(number) });
    expect(post.outbox()).toHaveLength(200);
    expect(post.outbox()[0]!.subject).toBe("249");
    expect(post.outbox().at(-1)!.subject).toBe("50");
  });
});

test("settings that cannot be right are told at once, without the password", () => {
  for (const smtpUrl of ["mail.example.org", "http://mail.example.org", "smtp://"])
    expect(() => mailer({ smtpUrl, from })).toThrow(RangeError);
  for (const sender of [
    "",
    "Desk",
    "Desk <desk>",
    "a@b.example, c@d.example",
    "Desk <a@b.example>\r\nBcc: x@y.example",
  ])
    expect(() => mailer({ from: sender })).toThrow(RangeError);
  expect(() => mailer({ smtpUrl: "smpt://user:secret@h", from })).toThrow(
    expect.not.objectContaining({ message: expect.stringContaining("secret") }),
  );
  expect(() => mailer({ from: "Signalmesh <signalmesh@localhost>" })).not.toThrow();
});
