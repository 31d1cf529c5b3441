import fc from "fast-check";
import { parseDate } from "../../../adapters/feeds/dates.ts";

const iso = (text: string) => {
  const at = parseDate(text);
  return at === undefined ? undefined : new Date(at).toISOString().replace(".000Z", "Z");
};

describe("dates as feeds write them", () => {
  it.each([
    ["Tue, 10 Jun 2003 04:00:00 GMT", "2003-06-10T04:00:00Z"],
    ["10 Jun 03 4:00 PM EST", "2003-06-10T21:00:00Z"],
    ["Tue, 10 Jun 2003 04:00:00 +0200", "2003-06-10T02:00:00Z"],
    ["Tue,10 Jun 2003 04:00 Z", "2003-06-10T04:00:00Z"],
    ["Mon, 10 June 2003 04:00:00 -0330", "2003-06-10T07:30:00Z"],
    ["Sunday, 06-Nov-94 08:49:37 GMT", "1994-11-06T08:49:37Z"],
    ["Tue, 10 Jun 2003 04:00:00 CEST", "2003-06-10T02:00:00Z"],
    ["Tue, 10 Jun 2003 04:00:00 GMT+0200", "2003-06-10T02:00:00Z"],
    ["Tue, 10 Jun 2003 04:00:00 EST-0500", "2003-06-10T09:00:00Z"],
    ["Tue, 10 Jun 2003 04:00:00 XYZ", "2003-06-10T04:00:00Z"],
    ["Tue, 10 Jun 2003 04:00:00 +9900", "2003-06-10T04:00:00Z"],
    ["Tue, 10 Jun 2003 24:00:00 GMT", "2003-06-11T00:00:00Z"],
    ["Tue, 10 Jun 2003 4:5:6 GMT", "2003-06-10T04:05:06Z"],
    ["Tue, 10 Jun 2003 23:59:60 GMT", "2003-06-11T00:00:00Z"],
    ["Tue, 10 Jun 2003", "2003-06-10T00:00:00Z"],
    ["2003-12-13T18:30:02Z", "2003-12-13T18:30:02Z"],
    ["2003-12-13T18:30:02.25+01:00", "2003-12-13T17:30:02.250Z"],
    ["2003-12-13T18:30:02+0100", "2003-12-13T17:30:02Z"],
    ["2003-12-13 18:30", "2003-12-13T18:30:00Z"],
    ["2003-12-13T18:30 PST", "2003-12-14T02:30:00Z"],
    ["2003-12-13", "2003-12-13T00:00:00Z"],
    ["2003-12", "2003-12-01T00:00:00Z"],
    ["20031213", "2003-12-13T00:00:00Z"],
    ["20031213T183002Z", "2003-12-13T18:30:02Z"],
    ["2003/6/1", "2003-06-01T00:00:00Z"],
    ["Thu Jan  1 00:00:00 2004", "2004-01-01T00:00:00Z"],
    ["Thu Jan 01 2004 00:00:00 GMT+0200 (CEST)", "2003-12-31T22:00:00Z"],
    ["Thu Jan 01 00:00:00 UTC 2004", "2004-01-01T00:00:00Z"],
    ["January 1st, 2004 10:00 PM", "2004-01-01T22:00:00Z"],
    ["Sept. 4, 2021", "2021-09-04T00:00:00Z"],
    ["10.06.2003 04:00", "2003-06-10T04:00:00Z"],
    ["06/10/2003", "2003-06-10T00:00:00Z"],
    ["25/12/2003", "2003-12-25T00:00:00Z"],
    ["1700000000", "2023-11-14T22:13:20Z"],
    ["1700000000000", "2023-11-14T22:13:20Z"],
    ["mar, 10 jun 2003 04:00:00 +0000", "2003-06-10T04:00:00Z"],
    ["mardi 10 juin 2003 04:00", "2003-06-10T04:00:00Z"],
    ["10 août 2024 12:00:00 CEST", "2024-08-10T10:00:00Z"],
    ["Di, 05 Mär 2024 10:00:00 +0100", "2024-03-05T09:00:00Z"],
    ["2 de enero de 2024", "2024-01-02T00:00:00Z"],
    ["Пт, 5 января 2024 10:00:00 MSK", "2024-01-05T07:00:00Z"],
    ["2024年1月2日 10:00", "2024-01-02T10:00:00Z"],
    ["2024년 1월 2일 10:00", "2024-01-02T10:00:00Z"],
  ])("%s", (text, expected) => expect(iso(text)).toBe(expected));

  it.each([
    "",
    "yesterday",
    "Mon, 31 Feb 2024 10:00:00 GMT",
    "2023-02-29",
    "Tue, 10 Jun 2003 25:00:00 GMT",
    "Tue, 10 Jun 2003 10:75:00 GMT",
    "Thu, 01 Jan 1970 00:00:00 GMT",
    "0001-01-01T00:00:00Z",
    "99/99/9999",
    "12",
    "1 2 3 Jan",
  ])("%j is no date", (text) => expect(parseDate(text)).toBeUndefined());

  it("whatever JavaScript can write it can read, to the second", () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date("1900-01-02"), max: new Date("2200-01-01"), noInvalidDate: true }),
        (date) => {
          const second = Math.floor(date.getTime() / 1000) * 1000;
          fc.pre(second !== 0);
          expect(parseDate(date.toISOString())).toBe(date.getTime());
          expect(parseDate(date.toUTCString())).toBe(second);
          expect(parseDate(date.toString())).toBe(second);
        },
      ),
    );
  });

  it("never throws", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), (text) => {
        expect([undefined, "number"]).toContain(parseDate(text) === undefined ? undefined : typeof parseDate(text));
      }),
    );
  });
});
