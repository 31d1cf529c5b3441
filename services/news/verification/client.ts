/** Whether one sentence supports another or contradicts it, and by what: pure, for whoever compares statements. */
export { stance, type Stance } from "./references/stance.ts";
