import type { BriefingArticle } from "../../articles/client.ts";
import { sentencesOf, withoutDateline } from "../writing/sentences.ts";
import { assertionOf, type Assertion } from "./assertion.ts";
import { headlineOf } from "./headlines.ts";
import type { Story } from "./stories.ts";
import { bodyOf } from "./texts.ts";

/** What an article of a story says, sentence by sentence, its headline first. */
export interface Reading {
  article: BriefingArticle;
  headline: Assertion;
  body: readonly Assertion[];
}

const READ_SENTENCES = 12;
/** How much of an article is read where no other tells of it: its top, which shows how much hangs on it. */
const READ_ALONE = 5;
/** More voices than this add repetition, not positions; the latest are read. */
const READ_VOICES = 16;

/** Of one language: figures and denials of another are not taken apart well enough to be held against these. */
export const readingsOf = ({ native }: Story): Reading[] =>
  native.slice(-READ_VOICES).map((article) => ({
    article,
    headline: assertionOf(headlineOf(article)),
    body: sentencesOf(bodyOf(article), native.length > 1 ? READ_SENTENCES : READ_ALONE).map((sentence) =>
      assertionOf(withoutDateline(sentence)),
    ),
  }));
