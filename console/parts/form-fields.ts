/** What a form's fields say when it is sent, by name. In a file without elements, for code that runs in no browser. */
export type FormFields = Record<string, string>;
