// What was written and not sent yet: kept in this tab over a reload, and until its person signs out.

const MARK = "draft ";

const fieldsOf = (form: HTMLFormElement): HTMLTextAreaElement[] =>
  [...form.elements].filter((one) => one instanceof HTMLTextAreaElement);

/** Keeps the texts of a form as they stand. */
export function keepDraft(name: string, form: HTMLFormElement): void {
  const texts = fieldsOf(form).map((field) => [field.name, field.value] as const);
  if (texts.every(([, text]) => text.trim() === "")) return dropDraft(name);
  try {
    sessionStorage.setItem(MARK + name, JSON.stringify(Object.fromEntries(texts)));
  } catch {
    /* The browser keeps nothing, or no more: the page works without. */
  }
}

/** Puts the kept texts back. */
export function restoreDraft(name: string, form: HTMLFormElement): void {
  const kept = JSON.parse(sessionStorage.getItem(MARK + name) ?? "{}") as Record<string, string>;
  for (const field of fieldsOf(form)) if (kept[field.name] !== undefined) field.value = kept[field.name]!;
}

export const dropDraft = (name: string): void => sessionStorage.removeItem(MARK + name);

export function dropAllDrafts(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(MARK)) sessionStorage.removeItem(key);
}
