import { z } from "zod";
import { port, url, list, secretHex, formerSecret, fingerprint } from "./forms.ts";

export const AREAS = ["gateway", "news", "identity", "workspace", "knowledge", "staff", "picture", "platform"] as const;
export type Area = (typeof AREAS)[number];

/** Where a node runs: its address, its stores, its mesh, its secrets. */
export const nodeSettings = {
  HOST: z.string().default("127.0.0.1").describe("Address the gateway listens on."),
  PORT: port.default(3000).describe("Port of the gateway; 0 takes a free one."),
  DATA_DIR: z.string().min(1).default("./data").describe("Where the embedded stores live; `:memory:` keeps nothing."),
  SERVICES: list
    .pipe(z.array(z.enum(AREAS)))
    .optional()
    .describe("Areas this process runs, separated by commas; all when absent."),
  EXTRA_SERVICES: list
    .default([])
    .describe(
      "Files with additional Moleculer services, as patterns separated by commas; they run in processes " +
        "of the platform area. See docs/moleculer-db.md.",
    ),
  NODE_ID: z
    .string()
    .regex(/^[\w.-]{1,64}$/, "must be 1 to 64 letters, digits, dots, dashes and underscores")
    .optional()
    .describe("Name of this node in the mesh; host name and process id when absent."),
  NAMESPACE: z
    .string()
    .regex(/^[\w-]{0,32}$/, "must be at most 32 letters, digits, dashes and underscores")
    .default("signalmesh")
    .describe("Separates several meshes on one transporter."),
  TRANSPORTER: z
    .string()
    .regex(/^(rediss?|tcp):\/\//, "must begin with redis://, rediss:// or tcp://")
    .optional()
    .describe("`redis://…`: several processes form one mesh. Absent: one process."),
  MONGO_URL: z
    .string()
    .regex(/^mongodb(\+srv)?:\/\//, "must begin with mongodb:// or mongodb+srv://")
    .optional()
    .describe("Documents in MongoDB instead of the embedded store."),
  ELASTICSEARCH_URL: url.optional().describe("Search in Elasticsearch instead of the embedded index."),
  SECRET: secretHex
    .optional()
    .describe("Root of all derived keys; when absent, created and kept in DATA_DIR. Required with MONGO_URL."),
  SECRET_PREVIOUS: list
    .pipe(z.array(formerSecret))
    .default([])
    .describe(
      "Former root secrets, separated by commas: what was sealed under them stays readable, API keys made under " +
        "them work, and what the platform signed stays verifiable. Prefix a stolen secret with `!`: signatures made under it " +
        "are no longer trusted.",
    ),
  SECRET_LOST: fingerprint
    .optional()
    .describe(
      "Fingerprint of a root secret that is lost for good, as printed by the refused start, or of a former one that " +
        "is given up, as a node's log names it: the store continues under the current secret, and what was sealed " +
        "under that one can no longer be read.",
    ),
} as const;
