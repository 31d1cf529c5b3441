import { reachOf } from "../../../adapters/outbound/addresses.ts";
import { outbound } from "../../../adapters/outbound/outbound.ts";
import type { OutboundError } from "../../../adapters/outbound/errors.ts";

describe("reach of addresses", () => {
  it.each([
    "8.8.8.8",
    "1.1.1.1",
    "93.184.216.34",
    "172.32.0.1",
    "100.128.0.1",
    "2606:4700::1111",
    "2a00:1450:4001::1",
    "::ffff:8.8.8.8",
    "64:ff9b::808:808",
  ])("%s is public", (address) => expect(reachOf(address)).toBe("public"));
  it.each([
    "127.0.0.1",
    "10.0.0.1",
    "192.168.0.1",
    "100.64.0.1",
    "::1",
    "fd12::1",
    "::ffff:10.0.0.1",
    "64:ff9b::10.0.0.1",
    "64:ff9b:1::808:808",
    "2002:808:808::1",
    "3fff::1",
    "4000::1",
  ])("%s is private", (address) => expect(reachOf(address)).toBe("private"));
  it.each([
    "169.254.169.254",
    "fd00:ec2::254",
    "168.63.129.16",
    "0.0.0.0",
    "::",
    "::ffff:169.254.169.254",
    "224.0.0.1",
    "255.255.255.255",
    "fe80::1",
    "ff02::1",
    "host",
    "",
    "1.2.3",
  ])("%s is never reached", (address) => expect(reachOf(address)).toBe("forbidden"));
});

describe("private networks, when they are allowed", () => {
  it("stay closed for cloud metadata", async () => {
    const open = outbound({ allowPrivate: true, userAgent: "signalmesh-test" });
    for (const url of [
      "http://169.254.169.254/latest/meta-data/",
      "http://[fd00:ec2::254]/",
      "http://168.63.129.16/",
      "http://[::ffff:a9fe:a9fe]/",
      "http://0.0.0.0/",
    ]) {
      await expect(open.get(url)).rejects.toMatchObject({ kind: "blocked" } satisfies Partial<OutboundError>);
    }
    await open.close();
  });

  it("are given as networks, or refused at the start", () => {
    expect(() => outbound({ allowPrivate: false, userAgent: "signalmesh-test", allow: ["10.0.0.0"] })).toThrow(
      /10\.0\.0\.0.*CIDR/,
    );
  });
});
