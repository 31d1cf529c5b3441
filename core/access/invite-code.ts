import { randomBytes } from "node:crypto";
import { textId } from "../records/entity.ts";

/** A code that lets whoever has it in: 160 random bits. */
export const newCode = (): string => randomBytes(20).toString("base64url");
export const Code = textId(100);
