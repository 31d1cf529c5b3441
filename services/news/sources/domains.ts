import { z } from "zod";

/** The closed list of Document 1; every source has exactly one. */
export const DOMAINS = ["geopolitics", "economics", "technology", "security", "energy", "health", "environment", "science"] as const;
export const Domain = z.enum(DOMAINS).meta({ id: "Domain" });
export type Domain = z.output<typeof Domain>;
