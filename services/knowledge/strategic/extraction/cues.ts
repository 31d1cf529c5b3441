import { lazily, lexicon } from "../../../../core/text/lexicon.ts";
import { phraseIndex, type Hit } from "../../../../core/text/words/phrases.ts";
import type { Word } from "../../../../core/text/words/words.ts";

const index = lazily(() => {
  const { obligations, foreign, enemies, outside, bodies, reported, guesses, conditions, past, dropped, tentative } =
    lexicon.directives;
  const { aims, resolutions, deciders, openLimits, machine } = lexicon.directives;
  const addressed = [...machine, ...lexicon.checkWorthiness.machine];
  return phraseIndex({
    obligation: obligations,
    aim: aims,
    resolution: resolutions,
    decider: deciders,
    body: bodies,
    enemy: enemies,
    outside,
    foreign,
    reported,
    guess: guesses,
    condition: conditions,
    past,
    dropped,
    tentative,
    limit: openLimits,
    machine: addressed,
  });
});

/** The phrases of a sentence that indicate an objective, or that it is none. */
export const cuesIn = (text: string, spoken: readonly Word[]): Hit[] => index().find(text, spoken);
