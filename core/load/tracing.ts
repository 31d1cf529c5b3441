/**
 * The part of a trace that travels with a call: W3C Trace Context, version 00
 * (https://www.w3.org/TR/trace-context/#traceparent-header).
 */
export interface TraceParent {
  traceId: string;
  spanId: string;
  sampled: boolean;
}

const FORM = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const NOTHING = /^0+$/;

export const formatTraceParent = ({ traceId, spanId, sampled }: TraceParent): string =>
  `00-${traceId}-${spanId}-0${sampled ? 1 : 0}`;

/** Undefined for what is not of the form, or names nothing. */
export function parseTraceParent(text: unknown): TraceParent | undefined {
  const [, traceId, spanId, flags] = (typeof text === "string" && FORM.exec(text)) || [];
  if (!traceId || !spanId || NOTHING.test(traceId) || NOTHING.test(spanId)) return undefined;
  return { traceId, spanId, sampled: (parseInt(flags!, 16) & 1) === 1 };
}

/** What travels with the calls of a request that was not chosen: nobody below throws the dice again. */
export const UNSAMPLED = "-";
