const FROM_RIGHT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
/** A name within a line of text: one from right to left is set apart (UAX 9), so that figures beside it stay there. */
export const apart = (name: string): string => (FROM_RIGHT.test(name) ? `\u2068${name}\u2069` : name);
