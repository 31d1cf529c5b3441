import type { Ctx } from "../../../../core/access/caller.ts";
import { isNotFound, nullIf, unprocessable } from "../../../../core/problem.ts";
import type { Annotation, TargetType } from "./annotations.ts";

/** How each kind of target is read, and which number identifies its version. */
const READ: Record<TargetType, { action: string; by: string; version: "version" | "rev" }> = {
  document: { action: "documents.get", by: "documentId", version: "version" },
  objective: { action: "strategic.objectives.get", by: "id", version: "rev" },
  mission: { action: "missions.get", by: "id", version: "rev" },
  gate: { action: "gates.get", by: "gateId", version: "rev" },
};

export interface AnnotationTarget {
  version: number;
  problemSetId: string;
  compartments: string[];
}

/** A target as the caller sees it; null where they do not. */
export async function annotationTarget(
  ctx: Ctx<unknown>,
  type: TargetType,
  id: string,
): Promise<AnnotationTarget | null> {
  const { action, by, version } = READ[type];
  const found = await ctx.call<any, object>(action, { [by]: id }).catch(nullIf(isNotFound));
  return found && { version: found[version], problemSetId: found.problemSetId, compartments: found.compartments ?? [] };
}

/** The words of a document's version at a note's position. */
export async function wordsAt(
  ctx: Ctx<unknown>,
  documentId: string,
  version: number,
  { start, end, quote }: NonNullable<Annotation["span"]>,
): Promise<string> {
  const { text } = await ctx.call<{ text?: string }, object>("documents.texts.get", {
    documentId,
    version,
    from: start,
    to: end,
  });
  if (text === undefined || text.length < end - start)
    throw unprocessable("SPAN", "span: this version's text is not read yet, or ends before.");
  if (!text.isWellFormed()) throw unprocessable("SPAN", "span: it cuts a character in two.");
  if (quote !== undefined && quote !== text) throw unprocessable("SPAN", "span.quote: other words stand there.");
  return text;
}

/** Which of these notes are stale for the caller; each target is read once. */
export async function stalenessOf(
  ctx: Ctx<unknown>,
  notes: readonly Pick<Annotation, "targetType" | "targetId" | "version">[],
): Promise<boolean[]> {
  const keyOf = ({ targetType, targetId }: (typeof notes)[number]): string => `${targetType} ${targetId}`;
  const targets = new Map(notes.map((note) => [keyOf(note), note]));
  const found = await Promise.all(
    [...targets].map(
      async ([key, { targetType, targetId }]) => [key, await annotationTarget(ctx, targetType, targetId)] as const,
    ),
  );
  const versions = new Map(found.map(([key, target]) => [key, target?.version]));
  return notes.map((note) => versions.get(keyOf(note)) !== note.version);
}
