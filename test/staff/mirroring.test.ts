import { isMirrorable, mirrored, headerValue } from "../../services/staff/agents/tools/mcp-mirroring.ts";
import { answerIn } from "../../services/staff/agents/tools/mcp-stateless.ts";

// Arguments of foreign tools that go into headers as well, and answers that come as a stream of events.

const object = (properties: object, rest: object = {}) => ({ type: "object", properties, ...rest });
const marked = (name: unknown, type = "string") => ({ type, "x-mcp-header": name });

it("arguments that a tool marks are repeated in headers, safely, wherever they lie in its objects", () => {
  const schema = object({
    region: marked("Region"),
    "x-mcp-header": { type: "string" },
    where: object({ floor: marked("Floor", "integer"), isOpen: marked("Open", "boolean"), note: marked("Note") }),
  });
  expect(isMirrorable(schema)).toBe(true);
  const given = { region: "us-west1", "x-mcp-header": "a", where: { floor: -7, isOpen: false, note: null } };
  expect(mirrored(schema, given)).toEqual({
    "mcp-param-region": "us-west1",
    "mcp-param-floor": "-7",
    "mcp-param-open": "false",
  });
  expect(mirrored(schema, { region: "a\r\nX-Evil: b", where: [] })).toEqual({
    "mcp-param-region": `=?base64?${Buffer.from("a\r\nX-Evil: b").toString("base64")}?=`,
  });
  expect(
    ["", " padded ", "Grüße", "=?base64?x?=", "a b"].map((text) => headerValue(text).startsWith("=?base64?")),
  ).toEqual([true, true, true, true, false]);
});

it.each([
  ["a name that is none", object({ a: marked("X\r\nEvil") })],
  ["no name", object({ a: marked("") })],
  ["one name twice", object({ a: marked("Same"), b: marked("same") })],
  ["a number", object({ a: marked("Price", "number") })],
  ["items of a list", object({ a: { type: "array", items: marked("Each") } })],
  ["one of several shapes", { anyOf: [object({ a: marked("A") })] }],
])("a tool that marks %s is as if it were not listed", (_what, schema) => {
  expect(isMirrorable(schema)).toBe(false);
});

it("an answer is found in a stream of events, behind what is no answer", () => {
  const answer = { jsonrpc: "2.0", id: 1, result: { resultType: "complete" } };
  const note = { jsonrpc: "2.0", method: "notifications/progress" };
  const text = `: here\r\n\r\ndata: ${JSON.stringify(note)}\r\n\r\ndata: ${JSON.stringify(answer).replace(",", ",\ndata: ")}\n\n`;
  expect(answerIn({ type: "text/event-stream; charset=utf-8", text })).toMatchObject({ id: 1, result: {} });
  expect(answerIn({ type: "text/event-stream", text: "data: nothing\n\n" })).toBeUndefined();
  expect(answerIn({ type: "application/json", text: "[" })).toBeUndefined();
});
