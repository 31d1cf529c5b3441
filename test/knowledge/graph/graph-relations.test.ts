import { atOnce } from "../../../core/work/turns.ts";
import { extractGraph } from "../../../services/knowledge/graph/build/extraction.ts";

const related = (text: string) => atOnce(extractGraph(text)).relations;
const told = (text: string): string[] =>
  related(text)
    .map(({ from, relation, to }) => `${from} ${relation} ${to}`)
    .sort();

/** Every shape says the same of any names, whichever of the two stands first. */
const PEOPLE = ["Ivan Petrov", "Maria Lopez", "Anna Berg"];
const BODIES = ["Northern Steel Company", "Harbour Union", "Apex Energy"];
const LEADING = [
  (who: string, what: string) => `${who}, the chief executive of ${what}, resigned.`,
  (who: string, what: string) => `${what}'s chief executive, ${who}, resigned.`,
  (who: string, what: string) => `The head of ${what}, ${who}, resigned.`,
  (who: string, what: string) => `${who}, 51, who has led ${what} since May, resigned.`,
  (who: string, what: string) => `${who} was named chairman of ${what} on Monday.`,
  (who: string, what: string) => `${what} lost its licence. Its director, ${who}, resigned.`,
  (who: string, what: string) => `${what} lost its licence. Its director is ${who}.`,
];

it.each(LEADING.keys().toArray())(
  "who leads what is read from shape %i of a sentence, and from the right end",
  (shape) => {
    for (const [at, who] of PEOPLE.entries()) {
      const what = BODIES[at]!;
      const said = `${who} leads ${what}`.toLowerCase();
      expect(told(LEADING[shape]!(who, what))).toEqual([said]);
    }
  },
);

it("what is done to one is done by the other: passive, in a relative clause, over an 'and'", () => {
  const said = "3rd brigade attacks lake camp";
  for (const text of [
    "The 3rd Brigade shelled Lake Camp on Friday.",
    "Lake Camp was shelled on Friday by soldiers of the 3rd Brigade.",
    "The 3rd Brigade, which shelled Lake Camp on Friday, withdrew.",
    "The 3rd Brigade withdrew on Friday and shelled Lake Camp.",
    "Gunners from the 3rd Brigade shelled Lake Camp.",
  ])
    expect(told(text)).toContain(said);
  expect(told("Lake Camp was shelled on Friday by soldiers of the 3rd Brigade.")).toHaveLength(1);
});

it("a word that stands for a name before it is read as that name, and the reason says which word it was", () => {
  const text = "Kestrel Foods lost 14 percent on Monday. The company is owned by the Hallet Group.";
  const [one] = related(text);
  expect([one!.from, one!.relation, one!.to]).toEqual(["hallet group", "owns", "kestrel foods"]);
  expect(one!.reason).toBe('"owned", "The company" for a name before it');
  expect(told("Maria Lopez spoke first. She accused the Harbour Union of fraud.")).toEqual([
    "maria lopez accuses harbour union",
  ]);
  expect(told("The ferry Baltic Star left late. The vessel belongs to Meridian Lines.")).toContain(
    "meridian lines owns baltic star",
  );
});

it("where something is, is read; where somebody says something else is, is not", () => {
  expect(told("The Lenz Summit opened in Geneva on Monday.")).toEqual(["lenz summit located-in geneva"]);
  expect(told("Passengers wait in Geneva, where the Lenz Summit opened.")).toEqual(["lenz summit located-in geneva"]);
  expect(told("The Ferrol Substation in Lyon failed.")).toEqual(["ferrol substation located-in lyon"]);
  expect(told("Maria Lopez criticised delays at Lake Camp.")).not.toContain("maria lopez located-in lake camp");
});

it.each([
  "Maria Lopez said that the Harbour Union had a new office.",
  "Among those invited were Maria Lopez, the Harbour Union and Apex Energy.",
  "Maria Lopez never supported the Harbour Union.",
  "Maria Lopez may support the Harbour Union.",
  "Maria Lopez wants to meet Anna Berg.",
  "Neither Maria Lopez nor the Harbour Union would comment.",
  "Traffic in Lyon was normal while Apex Energy repaired its cables.",
  "Maria Lopez left early; Apex Energy fell by 3 percent.",
])("names in one sentence are not related by that alone: %s", (text) => {
  expect(told(text)).toEqual([]);
});

it("two that do something together are related to each other, and to what they signed", () => {
  expect(told("Spain and Portugal on Friday signed the Lenz Valley Treaty.")).toEqual([
    "portugal related-to lenz valley treaty",
    "spain cooperates-with portugal",
    "spain related-to lenz valley treaty",
  ]);
  expect(told("A deal between Apex Energy and Northern Steel Company was reached.")).toEqual([
    "apex energy cooperates-with northern steel company",
  ]);
});

it("names in pieces are one, and a title is none of them", () => {
  const names = (text: string) => atOnce(extractGraph(text)).entities.map(({ forms }) => forms[0]!.text);
  expect(names("A spokeswoman for Marsh & Tolland met Transport Minister Odd Lien.")).toEqual(
    expect.arrayContaining(["Marsh & Tolland", "Odd Lien"]),
  );
  expect(names("The Farmers' Federation sued the West Mercia Police.")).toEqual([
    "Farmers' Federation",
    "West Mercia Police",
  ]);
  expect(names("Six Lynx KF41 vehicles came. The Agrarian Union voted. The Union was glad.")).toEqual([
    "Agrarian Union",
    "Lynx KF41",
  ]);
});
