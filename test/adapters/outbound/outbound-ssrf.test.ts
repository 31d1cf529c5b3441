import { createServer, type Server } from "node:http";
import net, { type AddressInfo } from "node:net";
import { outbound, type Outbound, type OutboundSettings } from "../../../adapters/outbound/outbound.ts";
import type { ResolvedAddress } from "../../../adapters/outbound/address-gate.ts";
import { OutboundError } from "../../../adapters/outbound/errors.ts";

// Claim 14. `victim` stands for a service inside the network and must never see a connection. `door` stands for the
// public internet: it listens on another loopback address, which these tests open by name of its network.
const doorAddress = "127.0.0.2";
let victim: Server;
let victim6: Server | undefined;
let door: Server;
let reached = 0;
let port: number;
let doorPort: number;
const clients: Outbound[] = [];

const listen = (server: Server, at: number, host: string) =>
  new Promise<number>((resolve, reject) => {
    server.once("error", reject).listen(at, host, () => resolve((server.address() as AddressInfo).port));
  });
const stop = (server?: Server) =>
  new Promise<void>((resolve) => {
    if (!server) return resolve();
    server.closeAllConnections();
    server.close(() => resolve());
  });

const client = (settings: Partial<OutboundSettings> = {}): Outbound => {
  const made = outbound({ allowPrivate: false, userAgent: "signalmesh-test", connectTimeoutMs: 2_000, ...settings });
  clients.push(made);
  return made;
};
const failure = async (promise: Promise<unknown>): Promise<OutboundError> => {
  const error = await promise.then(
    () => new Error("it was answered"),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(OutboundError);
  return error as OutboundError;
};

beforeAll(async () => {
  const counting = () =>
    createServer((_, response) => response.end("secret")).on("connection", () => {
      reached += 1;
    });
  victim = counting();
  port = await listen(victim, 0, "127.0.0.1");
  victim6 = counting();
  await listen(victim6, port, "::1").catch(() => {
    victim6 = undefined;
  });
  door = createServer((request, response) => {
    const to = new URL(request.url!, "http://door").searchParams.get("to");
    if (to === null) return response.end("public");
    return response.writeHead(302, { location: to }).end();
  });
  doorPort = await listen(door, 0, doorAddress);
});
afterEach(() => {
  expect(reached).toBe(0);
});
afterAll(async () => {
  await Promise.all(clients.map((each) => each.close()));
  await Promise.all([stop(victim), stop(victim6), stop(door)]);
});

const inside = [
  "127.0.0.1",
  "127.1.2.3",
  "127.255.255.254",
  "10.0.0.5",
  "172.16.3.4",
  "172.31.255.1",
  "192.168.1.1",
  "169.254.169.254",
  "169.254.170.2",
  "100.64.0.1",
  "100.100.100.200",
  "0.0.0.0",
  "0.1.2.3",
  "224.0.0.1",
  "239.255.255.250",
  "255.255.255.255",
  "240.0.0.1",
  "198.18.0.1",
  "192.0.0.192",
  "168.63.129.16",
];

/** The ways to write one IPv4 address in the host of a URL. */
function hostForms(address: string): string[] {
  const octets = address.split(".").map(Number) as [number, number, number, number];
  const [a, b, c, d] = octets;
  const value = ((a * 256 + b) * 256 + c) * 256 + d;
  const hex = (number: number, width = 1) => number.toString(16).padStart(width, "0");
  const octal = (number: number) => `0${number.toString(8)}`;
  const groups = `${hex(a * 256 + b)}:${hex(c * 256 + d)}`;
  const inverted = `${hex((a ^ 255) * 256 + (b ^ 255))}:${hex((c ^ 255) * 256 + (d ^ 255))}`;
  return [
    address,
    `${address}.`,
    String(value),
    `0x${hex(value)}`,
    `0${value.toString(8)}`,
    octets.map((octet) => `0x${hex(octet, 2)}`).join("."),
    octets.map(octal).join("."),
    octets.map((octet) => `000${octal(octet)}`).join("."),
    `${a}.${b * 65_536 + c * 256 + d}`,
    `${a}.${b}.${c * 256 + d}`,
    `0x${hex(a)}.${b}.${octal(c)}.${d}`,
    [...address].map((character) => `%${hex(character.charCodeAt(0), 2)}`).join(""),
    address.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    address.replaceAll(".", "\u3002"),
    `[::ffff:${address}]`,
    `[::ffff:${groups}]`,
    `[0:0:0:0:0:ffff:${groups}]`,
    `[::${address}]`,
    `[::ffff:0:${groups}]`,
    `[64:ff9b::${address}]`,
    `[64:ff9b:1::${groups}]`,
    `[2002:${groups}::1]`,
    `[2001:0:4136:e378:8000:63bf:${inverted}]`,
    `[2606:4700::5efe:${groups}]`,
  ];
}

/** A header holds bytes: what is beyond ASCII goes out as UTF-8, as servers do it. */
const asHeader = (url: string) => Buffer.from(url.trim()).toString("latin1");

const urls = (): string[] => [
  ...inside.flatMap(hostForms).map((host) => `http://${host}:${port}/`),
  ...[
    "[::1]",
    "[::]",
    "[0:0:0:0:0:0:0:1]",
    "[fe80::1]",
    "[fc00::1]",
    "[fd12:3456:789a::1]",
    "[fd00:ec2::254]",
    "[ff02::1]",
    "[fec0::1]",
    "[100::1]",
    "[2001:db8::1]",
    "[5f00::1]",
    "[4000::1]",
  ].map((host) => `http://${host}:${port}/`),
  `https://127.0.0.1:${port}/`,
  `http:127.0.0.1:${port}`,
  `http:/127.0.0.1:${port}/`,
  `http:\\\\127.0.0.1:${port}\\`,
  `HTTP://127.0.0.1:${port}/`,
  `\thttp://127.0.0.1:${port}/\n`,
  `http://127.0.0.1:${port}?@public.example/`,
  `http://127.0.0.1:${port}#@public.example/`,
  `http://127.0.0.1\\@public.example:${port}/`,
  `http://127.0.0.1:0/`,
  `http://user@public.example:${port}/`,
  `http://user:password@127.0.0.1:${port}/`,
  `http://public.example:80@127.0.0.1:${port}/`,
  `http://①②⑦.⓪.⓪.①:${port}/`,
];

const otherSchemes = [
  "file:///etc/passwd",
  "ftp://127.0.0.1/",
  "gopher://127.0.0.1:6379/_INFO",
  "dict://127.0.0.1:11211/stats",
  "ldap://127.0.0.1/",
  "tftp://127.0.0.1/x",
  "sftp://127.0.0.1/",
  "data:text/xml,<rss/>",
  "javascript:alert(1)",
  "blob:http://127.0.0.1/x",
  "ws://127.0.0.1/",
  "wss://127.0.0.1/",
  "jar:http://127.0.0.1!/",
  "view-source:http://127.0.0.1/",
  "node:fs",
  "unix:/var/run/docker.sock",
  "http+unix://%2Fvar%2Frun%2Fdocker.sock/info",
  "chrome://settings",
  "about:blank",
  "mailto:a@b.example",
  "netdoc:///etc/passwd",
  "//127.0.0.1/",
  "127.0.0.1",
  "",
  "http://",
  "http://[::1",
  "http://%00/",
  "http://a b/",
  "http://256.256.256.256/",
  "http://[::ffff:127.0.0.1%25eth0]/",
];

describe("addresses inside the network", () => {
  it("has more than the 120 payloads that are claimed, none of them twice", () => {
    const all = [...urls(), ...otherSchemes];
    expect(all.length).toBeGreaterThan(400);
    expect(new Set(all).size).toBe(all.length);
  });

  it("refuses each of them without opening a socket, for GET and for POST", async () => {
    const connect = jest.spyOn(net.Socket.prototype, "connect");
    const guarded = client({
      resolver: async () => {
        throw new Error("nothing here needs a resolver");
      },
    });
    for (const url of [...urls(), ...otherSchemes]) {
      expect([url, (await failure(guarded.get(url))).kind]).toEqual([url, "blocked"]);
      expect([url, (await failure(guarded.post(url, { body: "x" }))).kind]).toEqual([url, "blocked"]);
    }
    expect(connect).not.toHaveBeenCalled();
    connect.mockRestore();
  });

  it("refuses what has the parts of another address, as Node gives it now and then", async () => {
    const whole = { href: `http://127.0.0.1:${port}/`, protocol: "http:", username: "", password: "" };
    const parse = jest.spyOn(URL, "parse").mockReturnValueOnce({ ...whole, host: "", hostname: "" } as URL);
    expect((await failure(client().get(`http://１２７.０.０.１:${port}/`))).kind).toBe("blocked");
    expect(parse).toHaveBeenCalledTimes(2);
    parse.mockRestore();
  });

  it("refuses each of them as the target of a redirect", async () => {
    const connect = jest.spyOn(net.Socket.prototype, "connect");
    const guarded = client({ allow: [`${doorAddress}/32`] });
    for (const url of [...urls(), ...otherSchemes]) {
      const at = `http://${doorAddress}:${doorPort}/`;
      // What is relative to the door, such as "http:127.0.0.1", stays there: no attack.
      if (URL.parse(url, at)?.hostname === doorAddress) continue;
      const error = await failure(guarded.get(`${at}?to=${encodeURIComponent(asHeader(url))}`));
      expect([url, error.kind]).toEqual([url, "blocked"]);
    }
    const hosts = new Set(connect.mock.calls.map(([options]) => (options as unknown as [{ host: string }])[0].host));
    expect([...hosts]).toEqual([doorAddress]);
    connect.mockRestore();
  });

  it("refuses names that lead to such an address, whatever the name", async () => {
    const families = (address: string): ResolvedAddress => ({ address, family: address.includes(":") ? 6 : 4 });
    const answers = [
      ...inside,
      "::1",
      "::ffff:127.0.0.1",
      "::ffff:7f00:1",
      "fd00:ec2::254",
      "64:ff9b::7f00:1",
      "2002:7f00:1::",
      "fe80::1",
      "not-an-address",
    ];
    for (const answer of answers) {
      const error = await failure(
        client({ resolver: async () => [families(answer)] }).get(`http://metadata.example:${port}/`),
      );
      expect([answer, error.kind]).toEqual([answer, "blocked"]);
      // A user must not learn what the inner DNS says.
      expect(error.message).not.toContain(answer);
    }
  });

  it("refuses names that the machine itself knows", async () => {
    for (const name of ["localhost", "LOCALHOST", "localhost."]) {
      expect(["blocked", "dns"]).toContain((await failure(client().get(`http://${name}:${port}/`))).kind);
    }
    expect((await failure(client().get(`http://localhost:${port}/`))).kind).toBe("blocked");
  });
});

describe("rebinding", () => {
  const door4: ResolvedAddress = { address: doorAddress, family: 4 };
  const victim4: ResolvedAddress = { address: "127.0.0.1", family: 4 };

  it("connects to the address that was checked, and checks again for the next connection", async () => {
    let asked = 0;
    const guarded = client({
      allow: [`${doorAddress}/32`],
      resolver: async () => (asked++ === 0 ? [door4] : [victim4]),
    });
    // Both servers answer on their own port, so the victim's port is asked for at the address of the door: nothing
    // listens there.
    expect((await guarded.get(`http://rebinding.example:${doorPort}/`)).body.toString()).toBe("public");
    expect(asked).toBe(1);
    expect((await failure(guarded.get(`http://rebinding.example:${port}/`))).kind).toBe("blocked");
    expect(asked).toBe(2);
  });

  it("drops the inner address from an answer that holds both", async () => {
    const guarded = client({ allow: [`${doorAddress}/32`], resolver: async () => [victim4, door4] });
    expect((await guarded.get(`http://mixed.example:${doorPort}/`)).body.toString()).toBe("public");
    // At the victim's port the door does not listen: refused there, and no attempt at the victim.
    expect((await failure(guarded.get(`http://mixed.example:${port}/`))).kind).toBe("connect");
  });

  it("checks the name of a redirect's target too", async () => {
    const guarded = client({
      allow: [`${doorAddress}/32`],
      resolver: async (name) => (name === "door.example" ? [door4] : [victim4]),
    });
    const inner = encodeURIComponent(`http://inner.example:${port}/`);
    expect((await failure(guarded.get(`http://door.example:${doorPort}/?to=${inner}`))).kind).toBe("blocked");
  });
});
