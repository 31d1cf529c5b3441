import { lookup as systemLookup } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { callbackify } from "node:util";
import type { buildConnector } from "undici";
import { networks, reachOf, inNetwork, type CidrNetwork } from "./addresses.ts";
import { OutboundError } from "./errors.ts";
import { undici } from "./undici.ts";

export interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}
/** Answers all addresses of a host name; rejects as `dns.lookup` does. */
export type Resolver = (hostname: string) => Promise<readonly ResolvedAddress[]>;

const systemResolver: Resolver = async (hostname) =>
  (await systemLookup(hostname, { all: true, verbatim: true })) as ResolvedAddress[];

/** The host as Node's sockets take it: URL.hostname keeps the brackets of an IPv6 literal. */
export const hostOf = (hostname: string): string => (hostname.startsWith("[") ? hostname.slice(1, -1) : hostname);

const blocked = (message: string) => new OutboundError("blocked", message);
/** Never names the address behind the host: that would reveal the inner DNS. */
const notPublic = (host: string) =>
  blocked(
    `${host} is not on the public internet, so it is not fetched (ALLOW_PRIVATE_FEEDS=on allows private networks).`,
  );

/** Whether a URL's parts are those of its text. */
const isWhole = ({ href, protocol, username, password, host }: URL): boolean =>
  username !== "" || password !== "" || !/^https?:$/.test(protocol) || href.startsWith(`${protocol}//${host}/`);

/**
 * Node 24 now and then gives a URL of wide characters ("http://１２７.０.０.１/") the parts of another one: its host is empty
 * then, and no address that is refused. Its text is right, and has none of them.
 */
function parsed(text: string, base?: string): URL | null {
  const url = URL.parse(text, base);
  if (!url || isWhole(url)) return url;
  const again = URL.parse(url.href);
  return again && isWhole(again) ? again : null;
}

/**
 * Decides which addresses may be reached, and connects to none but those (server-side request forgery, OWASP A10:2021).
 */
export class AddressGate {
  readonly #allowPrivate: boolean;
  readonly #allow: readonly CidrNetwork[];
  readonly #resolver: Resolver;

  /**
   * `allow` lists networks that may be reached although they are not public. Throws a RangeError on an invalid network.
   */
  constructor(allowPrivate: boolean, allow: readonly string[] = [], resolver: Resolver = systemResolver) {
    this.#allowPrivate = allowPrivate;
    this.#allow = networks(allow);
    this.#resolver = resolver;
  }

  opens(address: string): boolean {
    const reach = reachOf(address);
    return reach === "public" || (reach === "private" && this.#allowPrivate) || inNetwork(address, this.#allow);
  }

  /**
   * Reads a URL, relative to `base` if given, and refuses (OutboundError `blocked`) what can be refused before
   * resolving. The WHATWG parser has by then turned 0x7f.1, 2130706433 and 017700000001 into 127.0.0.1.
   */
  url(text: string, base?: URL): URL {
    const url = parsed(text, base?.href);
    if (!url) throw blocked(`"${text.slice(0, 200)}" is not a URL.`);
    if (url.protocol !== "http:" && url.protocol !== "https:")
      throw blocked(`Only http and https addresses are fetched, not ${url.protocol.slice(0, 40)}`);
    if (url.username || url.password) throw blocked("An address with a user name or a password in it is not fetched.");
    if (this.#closedLiteral(url.hostname)) throw notPublic(url.hostname);
    return url;
  }

  #closedLiteral(hostname: string): boolean {
    const host = hostOf(hostname);
    return isIP(host) !== 0 && !this.opens(host);
  }

  /** The permitted addresses of a name, of one family if requested (4 or 6). */
  async #openAddresses(hostname: string, family: number): Promise<ResolvedAddress[]> {
    const found = await this.#resolver(hostname);
    if (found.length === 0) throw new OutboundError("dns", `There is no address for the name ${hostname}.`);
    const usable = found.filter((each) => this.opens(each.address) && (!family || each.family === family));
    if (usable.length === 0) throw notPublic(hostname);
    return usable;
  }

  /**
   * Resolves for net.connect and passes on open addresses only: what was checked is what is connected to, with no
   * second look-up to rebind.
   */
  readonly #lookup: LookupFunction = (hostname, options, callback) => {
    callbackify(() => this.#openAddresses(hostname, Number(options.family ?? 0)))((error, usable) => {
      if (error) return callback(error, "", 4);
      return options.all ? callback(null, usable) : callback(null, usable[0]!.address, usable[0]!.family);
    });
  };

  /**
   * Undici's connector behind this gate. Literal addresses are checked here, since Node asks no resolver for them; the
   * peer is checked once more.
   */
  connector(timeoutMs: number): buildConnector.connector {
    const connect = undici().buildConnector({
      allowH2: false,
      timeout: timeoutMs,
      autoSelectFamily: true,
      lookup: this.#lookup,
    } as buildConnector.BuildOptions);
    return (options, callback) => {
      if (this.#closedLiteral(options.hostname)) return callback(notPublic(options.hostname), null);
      connect({ ...options, hostname: hostOf(options.hostname) }, (error, socket) => {
        if (error) return callback(error, null);
        if (this.opens(socket!.remoteAddress ?? "")) return callback(null, socket!);
        socket!.destroy();
        return callback(notPublic(options.hostname), null);
      });
    };
  }
}
