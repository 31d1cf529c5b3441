import { z } from "zod";
import { port, url } from "./forms.ts";

/** What a node tells of itself, and how it bears load. */
export const runningSettings = {
  LOG_LEVEL: z
    .enum(["fatal", "error", "warn", "info", "debug", "trace"])
    .default("info")
    .describe("Least severity that is logged."),
  LOG_FORMAT: z.enum(["text", "json"]).default("text").describe("`json`: one object a line."),
  METRICS_PORT: port
    .optional()
    .describe(
      "Serves Prometheus metrics at `/metrics` on this port of HOST, apart from the API; absent: nothing is measured.",
    ),
  OTEL_EXPORTER_OTLP_ENDPOINT: url
    .optional()
    .describe("OpenTelemetry receiver (OTLP over HTTP, protobuf) that traces go to; absent: nothing is traced."),
  OTEL_SERVICE_NAME: z.string().min(1).default("signalmesh").describe("Name of the service in traces."),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(0.1)
    .describe("Share of requests that are traced, 0 to 1."),
  OVERLOAD_DELAY_MS: z.coerce
    .number()
    .int()
    .min(0)
    .max(600_000)
    .optional()
    .describe(
      "What could not begin within this time, by what waits before it, is refused with 503 and " +
        "`Retry-After`; absent: a quarter of `REQUEST_TIMEOUT_MS`; 0 refuses nothing.",
    ),
  REQUEST_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .min(100)
    .max(600_000)
    .default(30_000)
    .describe("Longest call of an action."),
  JOB_LEASE_MS: z.coerce
    .number()
    .int()
    .min(1_000)
    .max(600_000)
    .default(20_000)
    .describe(
      "How long nobody else goes on with a job after its node died; a node that the system leaves standing " +
        "for longer loses what it works on to another. The same on all nodes.",
    ),
  DRAIN_SECONDS: z.coerce
    .number()
    .min(0)
    .max(60)
    .default(0)
    .describe(
      "How long a stopping gateway says that it is not ready, and still takes requests, before it takes no " +
        "more: as long as a load balancer needs to see it.",
    ),
  BALANCING: z
    .enum(["round-robin", "latency", "cpu"])
    .default("round-robin")
    .describe(
      "How calls are spread over the nodes of an area: in turn, to the quickest to answer, or to the least busy.",
    ),
} as const;
