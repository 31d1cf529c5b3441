import { readPasted } from "../../console/platform/accounts/pasted.ts";

// Addresses as people paste them: out of mail programs, tables and lists.

const accounts = (text: string) =>
  readPasted(text).accounts.map(({ email, name }) => (name === undefined ? email : `${name} <${email}>`));

it("reads an address on each line, with a name or without", () => {
  expect(accounts("ada@example.org\n\n  Ben Ng <ben@example.org>\n")).toEqual([
    "ada@example.org",
    "Ben Ng <ben@example.org>",
  ]);
});

it("reads what a mail program writes between addresses", () => {
  expect(accounts('"Lovelace, Ada" <ada@example.org>; Ben Ng <ben@example.org>, cy@example.org;')).toEqual([
    "Ada Lovelace <ada@example.org>",
    "Ben Ng <ben@example.org>",
    "cy@example.org",
  ]);
  expect(accounts("ada@example.org, ben@example.org cy@example.org")).toEqual([
    "ada@example.org",
    "ben@example.org",
    "cy@example.org",
  ]);
});

it("reads a table: names before an address, in several columns, or after it", () => {
  expect(accounts("Ada\tLovelace\tada@example.org\nben@example.org,Ben Ng\n")).toEqual([
    "Ada Lovelace <ada@example.org>",
    "Ben Ng <ben@example.org>",
  ]);
});

it("takes each address once, and says in which lines there is none", () => {
  expect(readPasted("name,email\nAda@example.org\nada@example.org\nnobody")).toEqual({
    accounts: [{ email: "Ada@example.org" }],
    left: ["name,email", "nobody"],
  });
  expect(readPasted(" \n;\n")).toEqual({ accounts: [], left: [] });
});

it("never loses an address for a quotation mark that stands alone", () => {
  expect(accounts('5" tablets <desk@example.org>\nben@example.org')).toEqual([
    "5 tablets <desk@example.org>",
    "ben@example.org",
  ]);
});
