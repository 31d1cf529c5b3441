// What was written and not sent yet: kept in this tab over a reload, and until its person signs out.

const MARK = "draft ";

/** Texts of several lines, and the one-line texts beside them; what is one of a list has no name of its own. */
const isText = (one: Element): one is HTMLTextAreaElement | HTMLInputElement =>
  one instanceof HTMLTextAreaElement ||
  (one instanceof HTMLInputElement && one.type === "text" && !one.name.includes("."));
const fieldsOf = (form: HTMLFormElement): (HTMLTextAreaElement | HTMLInputElement)[] =>
  [...form.elements].filter(isText);

/** Keeps the texts of a form as they stand. */
export function keepDraft(name: string, form: HTMLFormElement): void {
  const fields = fieldsOf(form);
  if (fields.every(({ value, defaultValue }) => value.trim() === "" || value === defaultValue)) return dropDraft(name);
  const texts = fields.map((field) => [field.name, field.value] as const);
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
