import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags, type Span, type Tracer } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { AlwaysOnSampler, BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import type { Context } from "moleculer";
import { requestNameOf, type Meta } from "../core/access/caller.ts";
import { outcomeOf } from "../core/load/metrics.ts";
import { formatTraceParent, parseTraceParent, UNSAMPLED } from "../core/load/tracing.ts";

export interface TracingSettings {
  /** Base address of an OTLP receiver over HTTP; traces go to `/v1/traces` below it. */
  endpoint: string;
  serviceName: string;
  /** Of a version, and the node that it runs on. */
  version: string;
  nodeId: string;
  /** Share of the requests that are traced, 0 to 1; all of a request's calls are, or none. */
  ratio: number;
  /** Draws from [0, 1). */
  draw?: () => number;
}

type Handler = (ctx: Traced) => Promise<unknown>;
type Traced = Context<unknown, Meta & { traceparent?: string }>;
interface Action {
  name: string;
}

/**
 * Spans of calls, over the nodes of the mesh: the trace context travels in the call's meta, so that a call on another
 * node is a child of the one that made it. Parameters, answers, and the texts of errors are in no span.
 */
export class Tracing {
  readonly #provider: BasicTracerProvider;
  readonly #tracer: Tracer;
  readonly #draw: () => number;
  readonly #ratio: number;

  constructor({ endpoint, serviceName, version, nodeId, ratio, draw = Math.random }: TracingSettings) {
    const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, "")}/v1/traces`, timeoutMillis: 5_000 });
    this.#provider = new BasicTracerProvider({
      resource: resourceFromAttributes({
        "service.name": serviceName,
        "service.version": version,
        "service.instance.id": nodeId,
      }),
      // A request is sampled once, where it arrives, and the decision travels with it.
      sampler: new AlwaysOnSampler(),
      spanProcessors: [new BatchSpanProcessor(exporter, { scheduledDelayMillis: 1_000, maxQueueSize: 4_096 })],
    });
    this.#tracer = this.#provider.getTracer("signalmesh");
    this.#draw = draw;
    this.#ratio = ratio;
  }

  /** For the broker, last in its list. */
  readonly middleware = {
    name: "tracing",
    localAction:
      (next: Handler, { name }: Action): Handler =>
      (ctx) =>
        this.#traced(next, ctx, name, ctx.options.parentCtx ? SpanKind.INTERNAL : SpanKind.SERVER),
    remoteAction:
      (next: Handler, { name }: Action): Handler =>
      (ctx) =>
        this.#traced(next, ctx, name, SpanKind.CLIENT),
  };

  #traced(next: Handler, ctx: Traced, name: string, kind: SpanKind): Promise<unknown> {
    const above = ctx.meta.traceparent;
    if (above === UNSAMPLED) return next(ctx);
    const parent = parseTraceParent(above);
    if (parent && !parent.sampled) return next(ctx);
    if (!parent && this.#draw() >= this.#ratio) return this.#carrying(next, ctx, UNSAMPLED, above);
    const from = parent
      ? trace.setSpanContext(ROOT_CONTEXT, {
          traceId: parent.traceId,
          spanId: parent.spanId,
          traceFlags: TraceFlags.SAMPLED,
          isRemote: true,
        })
      : ROOT_CONTEXT;
    const span = this.#tracer.startSpan(
      name,
      {
        kind,
        attributes: {
          "rpc.system": "moleculer",
          "rpc.method": name,
          "request.id": requestNameOf(ctx),
          ...(ctx.caller && { "rpc.caller": ctx.caller }),
        },
      },
      from,
    );
    const { traceId, spanId } = span.spanContext();
    const outcome = this.#carrying(next, ctx, formatTraceParent({ traceId, spanId, sampled: true }), above);
    outcome.then(
      () => span.end(),
      (error: unknown) => failed(span, error),
    );
    return outcome;
  }

  /**
   * Runs a call with this trace context in its meta, and restores the former one: the meta returns to the caller, whose
   * next call is no child of this one.
   */
  #carrying(next: Handler, ctx: Traced, traceparent: string, above: string | undefined): Promise<unknown> {
    // The meta of a first call is the caller's own object, which may serve many calls.
    if (!ctx.options.parentCtx) ctx.meta = { ...ctx.meta };
    ctx.meta.traceparent = traceparent;
    const back = (): void => {
      if (above === undefined) delete ctx.meta.traceparent;
      else ctx.meta.traceparent = above;
    };
    const outcome = next(ctx);
    outcome.then(back, back);
    return outcome;
  }

  /** Sends what is left. */
  async stop(): Promise<void> {
    await this.#provider.shutdown().catch(() => {});
  }
}

function failed(span: Span, error: unknown): void {
  const { type, code } = error as { type?: unknown; code?: unknown };
  span.setAttribute("error.type", String(type ?? code ?? "unknown"));
  const outcome = outcomeOf(error);
  span.setAttribute("outcome", outcome);
  if (outcome !== "refused") span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
