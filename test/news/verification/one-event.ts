import { stance } from "../../../services/news/verification/references/stance.ts";

/** What two sentences on one event are to each other, looked at from either. */
export const ofOneEvent = (one: string, other: string) => {
  const [found, turned] = [stance(one, other, { event: "same" }), stance(other, one, { event: "same" })];
  return { kinds: [found.stance, turned.stance], reasons: [...found.reasons, ...turned.reasons].join("; ") };
};
