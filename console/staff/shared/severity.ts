/** How serious something is, in the tones of badges. */
export const SEVERITY_TONES = { critical: "bad", high: "bad", medium: "warn", low: "plain", info: "info" } as const;
