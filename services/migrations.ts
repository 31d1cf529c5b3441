import type { Migration } from "../core/records/migrations.ts";

/**
 * Every step of the stored form since release 0.1.0, in order; new ones are added at the end and released ones never
 * change. Indexes are no steps: entities declare them, and they are made where they are missing.
 */
export const MIGRATIONS: readonly Migration[] = [];
