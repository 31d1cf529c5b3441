import { randomBytes } from "node:crypto";
import { z } from "zod";

/** A code that lets whoever has it in: 160 random bits. */
export const newCode = (): string => randomBytes(20).toString("base64url");
export const Code = z.string().min(1).max(100);
