import type { BriefingArticle } from "../../articles/client.ts";
import type { BriefingInput, BriefingSection, Disagreement } from "../model.ts";
import type { Comparison } from "../stories/changes.ts";
import type { Reliability, Story } from "../stories/stories.ts";
import type { TermWeights } from "../stories/vectors.ts";
import type { StorySupport } from "./importance.ts";

/** A story with everything known about it before a word is written. */
export interface PreparedStory {
  story: Story;
  sourceIds: number[];
  disagreement: Disagreement[];
  /** 0..1, two decimals, disagreement counted. */
  confidence: number;
  /** Of what the headline says: less than the story's where not all of its voices say it. */
  headline: StorySupport;
  importance: number;
}

/** The reading of the input, shared by both methods: what happened, how sure it is, what is new. */
export interface PreparedBriefing {
  input: BriefingInput;
  articles: ReadonlyMap<number, BriefingArticle>;
  /** Most important first. */
  stories: PreparedStory[];
  comparison: Comparison;
  weights: TermWeights;
  reliability: Reliability;
}

export const sectionOf = ({ story }: PreparedStory): BriefingSection =>
  story.topic.elsewhere ? "elsewhere" : story.domain;
