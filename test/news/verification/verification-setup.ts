import { answer, type Behaviour, type Received } from "../../../adapters/llm/stand-in.ts";
import { eventually, type TestWorld } from "../../mesh.ts";
import { articlesOf, HOUR_MS, item, prose, source } from "../articles/articles-setup.ts";

export const CLAIM = "The Harrow refinery explosion killed 14 workers and injured 32 people in Veldoria on Tuesday.";
export const REPORT = `${CLAIM} The energy ministry opened an inquiry. Then ${prose(1, 60)}.`;
export const AGREES = `Rescue teams worked through the night. The explosion at the Harrow refinery in Veldoria killed 14 workers and injured 32 people, hospital officials said. Then ${prose(2, 60)}.`;
export const DENIES = `The Harrow refinery explosion killed 29 workers in Veldoria on Tuesday, the union said. Then ${prose(3, 60)}.`;

/** Stores one article of a source and waits until search shows it. */
export async function tell(
  node: TestWorld,
  sourceId: number,
  n: number,
  text: string,
  traits: { title?: string; publishedAt?: string } = {},
): Promise<number> {
  const articles = articlesOf(node);
  const publishedAt = new Date(node.clock.now() - 2 * HOUR_MS).toISOString();
  await articles.store(source(sourceId), [
    item(n, { title: `Report ${n}`, publishedAt, ...traits, text, html: `<p>${text}</p>` }),
  ]);
  await eventually(
    () => articles.call<{ waiting: number }>("waiting"),
    ({ waiting }) => waiting === 0,
  );
  return (await articles.whole()).find((article) => article.sourceId === sourceId && article.text === text)!.id;
}

const QUOTE = "killed 14 workers and injured 32 people";
const evidenceId = ({ messages }: Received) =>
  Number(/evidence articleId (\d+)/.exec(messages.map(({ content }) => content).join("\n"))?.[1] ?? 0);

/** A model that does its work, and makes things up beside. */
export function replies(request: Received): Behaviour {
  if (request.shape === "claims")
    return answer({
      claims: [
        { quote: CLAIM, score: 95 },
        { quote: "Nothing of the kind stands in the text at all, anywhere.", score: 99 },
      ],
    });
  if (request.shape === "stance")
    return answer({
      articleId: Number(/article's id is (\d+)/.exec(request.messages.at(-1)!.content)![1]),
      stance: "unrelated",
      quote: "",
    });
  if (request.shape === "bias")
    return answer({
      politicalBias: "unknown",
      framing: [],
      emotionalLevel: "low",
      sensationalismLevel: "low",
      loadedLanguage: [],
      unsupportedClaims: [],
      cherryPicking: [],
      adHominem: [],
      falseBalance: [],
      omission: ["Who owns the refinery"],
      score: 5,
    });
  return answer({
    score: 99,
    reasons: [
      { text: "Another source counts the same", articleId: evidenceId(request), quote: QUOTE },
      { text: "Made up", articleId: 999_999, quote: "no such words" },
    ],
  });
}

/** The question without the random marks that quote its material. */
export const question = ({ shape, messages }: Received): string =>
  `${shape}\n${messages.map(({ content }) => content.replace(/\b[0-9a-f]{24}\b/g, "")).join("\n")}`;
