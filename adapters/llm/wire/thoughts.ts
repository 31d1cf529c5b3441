/** How models that think aloud frame it, where their endpoint does not take it out. */
const OPEN = /^\s*<(think|thinking|thought)>/i;
const CLOSE = /<\/(?:think|thinking|thought)>\s*/i;
const LONGEST_OPEN = "<thinking>".length;
const LONGEST_CLOSE = "</thinking>".length;

/** An answer without the thoughts before it; some templates open them in the prompt, so that only their end is seen. */
export function withoutThoughts(answer: string): string {
  const end = CLOSE.exec(answer);
  if (end && (OPEN.test(answer) || !answer.slice(0, end.index).includes("<"))) {
    return answer.slice(end.index + end[0].length);
  }
  return OPEN.test(answer) ? "" : answer;
}

/** The same for a stream, piece by piece, of thoughts whose beginning is seen. */
export class Thoughts {
  #held = "";
  #state: "unknown" | "thinking" | "answering" = "unknown";

  push(piece: string): string {
    if (this.#state === "answering") return piece;
    this.#held += piece;
    if (this.#state === "unknown") {
      const begun = this.#held.trimStart();
      if (OPEN.test(begun)) this.#state = "thinking";
      else if (begun && !(begun[0] === "<" && begun.length < LONGEST_OPEN)) return this.#answers(this.#held);
    }
    if (this.#state !== "thinking") return "";
    const end = CLOSE.exec(this.#held);
    if (end) return this.#answers(this.#held.slice(end.index + end[0].length));
    // Thoughts may be long: what cannot be the beginning of their end is not looked through again.
    this.#held = this.#held.slice(-LONGEST_CLOSE);
    return "";
  }

  /** What is left at the end: nothing of thoughts that did not end. */
  end(): string {
    return this.#state === "unknown" ? this.#answers(this.#held) : "";
  }

  #answers(text: string): string {
    this.#state = "answering";
    this.#held = "";
    return text;
  }
}
