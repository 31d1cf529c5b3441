const ASKED_INDIRECTLY = /\b(?:ask|wonder)(?:s|ed|ing)?\b[^,.;]{0,40}\b(?:whether|if|why|how|what|when|where|who)\b/i;
const ANSWERED = /\b(?:said|says|replied|answered|insisted)\b/i;

/** Whether a sentence only asks, or tells only that something was asked ("She was asked whether she had seen it"). */
export const onlyAsks = (text: string): boolean =>
  text.trimEnd().endsWith("?") || (ASKED_INDIRECTLY.test(text) && !ANSWERED.test(text));
