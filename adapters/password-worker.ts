import { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { adjacencyGraphs, dictionary } from "@zxcvbn-ts/language-common";
import { serveTasks } from "../core/work/thread.ts";
import type { Guess, Guessed } from "./passwords.ts";

const judge = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });

serveTasks(({ password, about }: Guess): Guessed => {
  const { score, guessesLog10 } = judge.check(password, [...about]);
  return { score, guessesLog10 };
});
