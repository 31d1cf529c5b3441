import type { Topic } from "./topic.ts";

/** Weights are below four times a name's emphasis. */
const WEIGHT_STEPS = 32;

/** A topic as it is stored with an article's trace. */
export function packTopic({ language, terms, weights, naming, anchors, days, sexes }: Topic): string {
  const coarse = new Uint8Array(weights.length);
  for (let at = 0; at < weights.length; at++) coarse[at] = Math.min(255, Math.round(weights[at]! * WEIGHT_STEPS));
  return [language, ...[terms, coarse, anchors, naming].map(base64Of), days, sexes].join(" ");
}

export function unpackTopic(text: string): Topic {
  const [language, hashes, weights, anchors, naming, days, sexes] = text.split(" ");
  const terms = wordsIn(hashes!);
  return {
    language: language!,
    terms,
    weights: Float32Array.from(Buffer.from(weights!, "base64"), (weight) => weight / WEIGHT_STEPS),
    // Traces of earlier releases do not tell.
    naming: naming ? new Uint8Array(Buffer.from(naming, "base64")) : new Uint8Array(terms.length),
    anchors: wordsIn(anchors!),
    days: Number(days ?? 0),
    sexes: Number(sexes ?? 0),
  };
}

const base64Of = ({ buffer, byteOffset, byteLength }: Uint32Array | Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString("base64");
const wordsIn = (text: string): Uint32Array => {
  const bytes = new Uint8Array(Buffer.from(text, "base64"));
  return new Uint32Array(bytes.buffer, 0, bytes.byteLength >> 2);
};
