import { atOnce } from "../../core/work/turns.ts";
import { contradictedBy, spotsOf } from "../../services/knowledge/design/analysis.ts";
import { world, type TestWorld } from "../mesh.ts";
import { as, openSet, persons, type Person } from "../workspace/people.ts";
import { put } from "./documents.requests.ts";
import { built } from "./graph.requests.ts";

// Rules cut what people wrote, join it, and make records and questions of it: what comes of any text is a record that a
// person could have written, or a refusal that names the field.

let at: TestWorld;
let ann: Person;
let problemSetId: string;
beforeAll(async () => {
  at = await world();
  [ann] = (await persons(at, "ann")) as [Person];
  problemSetId = await openSet(at, ann, { name: "Wild texts" });
});
afterAll(() => at.stop());

const send = (method: string, path: string, body?: unknown) => as(at, ann)(method, `/api${path}`, body);
const file = (text: string, title = "A") => put(at, ann, text, "wild.txt", { problemSetId, title });
/** A character of two halves: wherever a text is cut, with `before` or without, one of the two cuts falls between them. */
const barriers = (count: number, before = "") => before + "\u{1F6A7}".repeat(count);

it.each(["", "a"])("a sentence of any length and sort is read into the graph (%p before it)", async (before) => {
  const said = "President Ivan Petrov of Varland met Chancellor Anna Berg in Geneva";
  for (const text of [`${said} ${barriers(600, before)} there`, `${barriers(25_000, before)} ${said}.`])
    expect(await built(at, ann, (await file(text)).id)).toMatchObject({ status: "completed" });
});

it("a page of any length is told in whole characters, and an intent is drafted from it", async () => {
  const { id } = await file(`The brigade must hold the bridge. ${barriers(60_000, "a")} End.`);
  const { start, end, text, characters } = (await send("GET", `/documents/${id}/text?page=1`)).body.data;
  expect([text.isWellFormed(), text.length, end < characters]).toEqual([true, end - start, true]);
  expect((await send("GET", `/documents/${id}/text?from=${end}`)).body.data.text.isWellFormed()).toBe(true);
  const citations = [{ documentId: id, start: 0, end: 33 }];
  const wanted = { problemSetId, statement: "Hold the bridge", citations };
  const { body } = await send("POST", "/strategic/objectives", wanted);
  expect((await send("POST", `/strategic/objectives/${body.data.id}/intent/generate`, {})).status).toBe(200);
});

it("a design is held against lines of any length", () => {
  const spots = spotsOf({ currentState: "The bridge at Karsk is open to convoys." });
  for (const before of ["", "a"]) {
    const text = `${barriers(4_970, before)} The bridge at Karsk is not open to convoys ${barriers(60)}`;
    const source = {
      documentId: "d",
      version: 1,
      title: "Report",
      at: "2026-01-01T00:00:00.000Z",
      text,
      pages: [{ page: 1, start: 0, end: text.length }],
      frame: [],
    };
    const found = atOnce(contradictedBy(source, spots));
    for (const { documents } of found) expect(documents[0]!.quote.isWellFormed()).toBe(true);
    expect(found).not.toEqual([]);
  }
});

it("reports of which none states anything are fused by what they are called", async () => {
  const { id } = await file("Hi.");
  const { status, body } = await send("POST", "/strategic-agents/fuse", { problemSetId, documentIds: [id] });
  expect([status, body.data.products[0].hypothesis]).toEqual([201, 'What the report "A" says']);
});

it("a place that no text reaches is refused as the end of the citation, however far it lies", async () => {
  const { id: documentId } = await file("The corridor opens.");
  for (const end of [500, Number.MAX_SAFE_INTEGER]) {
    const citations = [{ documentId, start: end - 10, end }];
    const wanted = { problemSetId, statement: "Open the corridor", citations };
    const { status, body } = await send("POST", "/strategic/objectives", wanted);
    expect([status, body.error.details[0].path]).toEqual([400, "citations.0.end"]);
  }
});
