import { randomUUID } from "node:crypto";
import { createRequire } from "node:module";

declare module "../core/world.ts" {
  interface World {
    mail: Mailer;
  }
}

export interface MailSettings {
  /**
   * `smtp://user:password@host:587` or `smtps://…:465`; `?tls=required`, `optional` or `off`. None: mail goes to the
   * outbox.
   */
  smtpUrl?: string;
  /** `Name <address>` or an address. */
  from: string;
  /** Longest wait for a whole message, in milliseconds; default 30,000. */
  timeoutMs?: number;
}

export interface Mail {
  /** One address or several; each is an address alone, without a name. */
  to: string | readonly string[];
  /** One line: line breaks in it become spaces. */
  subject: string;
  text: string;
  html?: string;
  /**
   * Stays the same for every attempt at one message, so that a receiver recognises a repetition: `local@host`, without
   * brackets.
   */
  messageId?: string;
}

export interface MailReceipt {
  /** `outbox`: no mail server is configured, and the message is kept in this process. */
  via: "smtp" | "outbox";
  messageId: string;
  /** Those of several recipients that the server refused. */
  refused: string[];
}

export interface OutboxMail {
  to: string[];
  subject: string;
  text: string;
  html?: string;
  messageId: string;
  at: string;
}

export interface Mailer {
  /** Whether mail is sent to a server. */
  readonly configured: boolean;
  /** Throws MailError and nothing else. */
  send(mail: Mail, options?: { signal?: AbortSignal }): Promise<MailReceipt>;
  /** Messages kept while no server is configured, newest first; at most 200. */
  outbox(): readonly OutboxMail[];
}

/** Why a message was not sent, without passwords and addresses of servers. */
export class MailError extends Error {
  /** Whether trying again may help. */
  readonly temporary: boolean;
  constructor(message: string, temporary: boolean, options?: ErrorOptions) {
    super(message, options);
    this.name = "MailError";
    this.temporary = temporary;
  }
}

const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u;
const LOCAL = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}$/;

/**
 * Whether a text is exactly one mail address by the HTML standard (with international domains): no name, no list, no
 * line break.
 */
export function isMailAddress(text: string): boolean {
  const at = text.lastIndexOf("@");
  if (at < 1 || text.length > 254) return false;
  return (
    LOCAL.test(text.slice(0, at)) &&
    text
      .slice(at + 1)
      .split(".")
      .every((label) => LABEL.test(label))
  );
}

/** A header's value on one line: a line break in a title could add headers. */
const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .trim()
    .slice(0, 500);

function sender(from: string): { name: string; address: string } {
  const match = /^([^<>]*)<([^<>]+)>$/.exec(from.trim());
  const [name, address] = match ? [match[1]!.trim().replace(/^"|"$/g, ""), match[2]!.trim()] : ["", from.trim()];
  if (!isMailAddress(address))
    throw new RangeError(
      `"${oneLine(from)}" is no sender: write an address, or a name and an address in angle brackets.`,
    );
  return { name: oneLine(name), address };
}

/** The addresses to send to. Throws MailError at the first one that is no address. */
function recipients(to: string | readonly string[]): string[] {
  const addresses = [to].flat();
  if (addresses.length === 0) throw new MailError("No recipient is given.", false);
  const wrong = addresses.find((address) => !isMailAddress(address));
  if (wrong !== undefined) throw new MailError(`"${oneLine(wrong).slice(0, 80)}" is no mail address.`, false);
  return addresses;
}

const isMessageId = (text: string | undefined): text is string =>
  text !== undefined && /^[\w.-]{1,100}@[\w.-]{1,100}$/.test(text);

/** Milliseconds that a server may take to accept a connection, and to greet. */
const CONNECT_MS = 10_000;

const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "[::1]" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host);

/**
 * The transport of an SMTP URL. A password is never sent in the clear to another machine: with credentials TLS is
 * required unless the URL says `tls=optional` or `tls=off`. On loopback any certificate will do.
 */
function transport(smtpUrl: string, timeoutMs: number) {
  const url = URL.parse(smtpUrl);
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === "") {
    throw new RangeError("SMTP_URL must look like smtp://user:password@host:587 or smtps://user:password@host:465.");
  }
  const secure = url.protocol === "smtps:";
  const loopback = isLoopback(url.hostname);
  const tls = url.searchParams.get("tls") ?? (url.username !== "" && !loopback ? "required" : "optional");
  // Loaded only where there is a mail server.
  const { createTransport } = createRequire(import.meta.url)("nodemailer") as typeof import("nodemailer");
  return createTransport({
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    ignoreTLS: tls === "off",
    requireTLS: tls === "required",
    tls: { rejectUnauthorized: !loopback },
    ...(url.username === ""
      ? {}
      : { auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } }),
    connectionTimeout: Math.min(CONNECT_MS, timeoutMs),
    greetingTimeout: Math.min(CONNECT_MS, timeoutMs),
    socketTimeout: timeoutMs,
    // A message contains only our own text; nothing in it may make the transport read a file or an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

interface TransportFailure {
  code?: string;
  responseCode?: number;
  permanent?: boolean;
  message?: string;
}

/** The transport's error in our words: its own would quote the server's answer, which may name users and hosts. */
function mailError(error: unknown, timedOut: boolean, cancelled: boolean): MailError {
  const { code = "", responseCode, permanent } = error as TransportFailure;
  const failure = (message: string, temporary: boolean) => new MailError(message, temporary, { cause: error });
  if (cancelled) return failure("Sending was cancelled.", false);
  if (timedOut || code === "ETIMEDOUT") return failure("The mail server did not answer in time.", true);
  if (code === "EAUTH" || code === "ENOAUTH")
    return failure("The mail server does not accept the user and password of SMTP_URL.", false);
  if (code === "ETLS") return failure("The mail server offers no encrypted connection that can be trusted.", false);
  if (responseCode !== undefined) {
    const what = code === "EENVELOPE" ? "the sender or the recipient" : "the message";
    const refuses = permanent ?? (responseCode >= 500 && responseCode !== 503);
    return failure(`The mail server refuses ${what}${refuses ? "" : " for the moment"} (${responseCode}).`, !refuses);
  }
  if (code === "EDNS") return failure("The name of the mail server cannot be resolved.", true);
  const lost = ["ECONNECTION", "ESOCKET", "EPROTOCOL"].includes(code);
  if (lost) return failure("The mail server cannot be reached, or it broke off the connection.", true);
  return failure("The mail could not be sent.", false);
}

const OUTBOX_SIZE = 200;

/**
 * Sends mail over SMTP (nodemailer), or keeps it in an outbox of this process where no server is configured; the result
 * says which. Throws a RangeError at once on invalid settings.
 */
export function mailer({ smtpUrl, from, timeoutMs = 30_000 }: MailSettings, now: () => number = Date.now): Mailer {
  const author = sender(from);
  const smtp = smtpUrl === undefined ? null : transport(smtpUrl, timeoutMs);
  const kept: OutboxMail[] = [];

  async function overSmtp(message: OutboxMail, signal: AbortSignal | undefined): Promise<string[]> {
    const limit = AbortSignal.timeout(timeoutMs);
    try {
      const { rejected } = await smtp!.sendMail({
        from: author,
        to: message.to.map((address) => ({ name: "", address })),
        subject: message.subject,
        text: message.text,
        html: message.html,
        messageId: `<${message.messageId}>`,
        date: new Date(message.at),
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
      });
      return rejected ?? [];
    } catch (error) {
      throw mailError(error, limit.aborted, signal?.aborted ?? false);
    }
  }

  return {
    configured: smtp !== null,
    outbox: () => kept,
    async send(mail, { signal } = {}) {
      const message: OutboxMail = {
        to: recipients(mail.to),
        subject: oneLine(mail.subject),
        text: mail.text,
        ...(mail.html === undefined ? {} : { html: mail.html }),
        messageId: isMessageId(mail.messageId) ? mail.messageId : `${randomUUID()}@${author.address.split("@").at(-1)}`,
        at: new Date(now()).toISOString(),
      };
      if (smtp) return { via: "smtp", messageId: message.messageId, refused: await overSmtp(message, signal) };
      kept.unshift(message);
      kept.length = Math.min(kept.length, OUTBOX_SIZE);
      return { via: "outbox", messageId: message.messageId, refused: [] };
    },
  };
}
