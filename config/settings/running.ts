import { z } from "zod";
import { port, url } from "./forms.ts";

/** What a node tells of itself, and how it bears load. */
export const runningSettings = {
  LOG_LEVEL: z
    .enum(["fatal", "error", "warn", "info", "debug", "trace"])
    .default("info")
    .describe("Lowest severity that is logged."),
  LOG_FORMAT: z.enum(["text", "json"]).default("text").describe("`json`: one object per line."),
  METRICS_PORT: port
    .optional()
    .describe("Port on HOST, separate from the API, that serves Prometheus metrics at `/metrics`; absent: no metrics."),
  OTEL_EXPORTER_OTLP_ENDPOINT: url
    .optional()
    .describe("OpenTelemetry receiver of traces (OTLP over HTTP, protobuf); absent: no traces."),
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
      "A request that, judging by the queue before it, cannot start within this time is refused with " +
        "503 and `Retry-After`; absent: a quarter of `REQUEST_TIMEOUT_MS`; 0 refuses nothing.",
    ),
  REQUEST_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .min(100)
    .max(600_000)
    .default(30_000)
    .describe("Time limit of an action call."),
  JOB_LEASE_MS: z.coerce
    .number()
    .int()
    .min(1_000)
    .max(600_000)
    .default(20_000)
    .describe(
      "How long after a node died another node may take over its jobs; a node that is suspended for " +
        "longer loses its jobs to others. Must be the same on all nodes.",
    ),
  DRAIN_SECONDS: z.coerce
    .number()
    .min(0)
    .max(60)
    .default(0)
    .describe(
      "How long a stopping gateway reports not ready but still accepts requests: as long as a load " +
        "balancer needs to notice.",
    ),
  BALANCING: z
    .enum(["round-robin", "latency", "cpu"])
    .default("round-robin")
    .describe(
      "How calls are spread over the nodes of an area: in turn, to the node that answers fastest, or to " +
        "the one with the least CPU load.",
    ),
} as const;
