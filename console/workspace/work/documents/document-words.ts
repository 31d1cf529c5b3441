import type { Data } from "../../../api/client.ts";

export type DocumentShown = Data<"GET /documents/{documentId}">;
export type DocumentStatus = DocumentShown["status"];
export type DocumentFormat = DocumentShown["format"];

export const DOCUMENT_STATUSES = [
  ["ready", "Can be read"],
  ["received", "Waits to be read in"],
  ["reading", "Being read in"],
  ["unreadable", "Cannot be read"],
  ["withdrawn", "Withdrawn"],
] as const satisfies readonly (readonly [DocumentStatus, string])[];
export const FORMATS = [
  ["pdf", "PDF"],
  ["docx", "Word"],
  ["odt", "OpenDocument"],
  ["html", "HTML"],
  ["markdown", "Markdown"],
  ["text", "Plain text"],
] as const satisfies readonly (readonly [DocumentFormat, string])[];

export const statusWords = (status: DocumentStatus): string =>
  DOCUMENT_STATUSES.find(([name]) => name === status)?.[1] ?? status;
export const formatWords = (format: DocumentFormat): string => FORMATS.find(([name]) => name === format)?.[1] ?? format;

/** "340 bytes", "12 KB", "3.4 MB". */
export function sizeWords(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  const [value, unit] = bytes < 1_000_000 ? [bytes / 1_000, "KB"] : [bytes / 1_000_000, "MB"];
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`;
}
