import { z } from "zod";

/** Fields that hold what somebody or something is called. */
export const NAMES = /^(name|title|label|designation|jobTitle|displayName|givenName|familyName|passkeyName)$/;

/** Writing whose letters join, or whose syllables are formed by signs that are not seen (UAX #31, 2.3: A1, A2, B). */
const JOINING =
  String.raw`\p{scx=Arab}\p{scx=Syrc}\p{scx=Nkoo}\p{scx=Mong}\p{scx=Mand}\p{scx=Adlm}\p{scx=Rohg}\p{scx=Phag}` +
  String.raw`\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}` +
  String.raw`\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}\p{scx=Bali}\p{scx=Java}`;
/** Writing without blanks between words, where a break may be marked. */
const UNSPACED = String.raw`\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}`;

/** Characters that are not seen, where writing or an emoji needs them. */
const NEEDED = [
  // Joiners: after a letter or mark of such writing, and between emoji (UTS #51, ED-16).
  String.raw`(?<=(?=[${JOINING}])[\p{L}\p{M}])[\u200C\u200D]`,
  String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F\u{E007F}])\u200D(?=\p{Extended_Pictographic})`,
  String.raw`(?<=[${UNSPACED}])\u200B(?=[${UNSPACED}])`,
  // One selector of a form after what has one: letters of Mongolian, emoji, ideographs.
  String.raw`(?<=\p{sc=Mong})[\u180B-\u180F]`,
  String.raw`(?<=[\p{Extended_Pictographic}\p{S}\p{Ideo}\p{scx=Mymr}\p{scx=Phag}])[\uFE00-\uFE0F]|(?<=[0-9#*])\uFE0F(?=\u20E3)`,
  String.raw`(?<=\p{Ideo})[\u{E0100}-\u{E01EF}]`,
  String.raw`(?<=\p{sc=Hebr})\u034F`,
  // The flag of a region (ED-14a).
  String.raw`(?<=\u{1F3F4})[\u{E0020}-\u{E007E}]{1,7}\u{E007F}`,
].join("|");
/** The marks that order words of both directions beside each other, in names that hold letters from right to left. */
const MARKS = String.raw`[\u061C\u200E\u200F]`;
const FROM_THE_RIGHT =
  /[\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}\p{sc=Adlm}\p{sc=Rohg}\p{sc=Samr}\p{sc=Mand}]/u;

/**
 * Controls, separators of lines, what turns the direction of text (UAX #9, 2.1 to 2.4), and whatever is not drawn by
 * default (DerivedCoreProperties): two names that look alike must be alike (UTR #36, UTS #39).
 */
const UNSEEN = String.raw`[\p{Cc}\p{Zl}\p{Zp}\p{DI}\p{Bidi_C}\uFFF9-\uFFFB]`;
/** What is left of a name of which nothing can be seen; the pattern of braille without dots looks like a blank. */
const NOTHING = /^[\p{Cc}\p{Z}\p{DI}\p{Bidi_C}\u2800]*$/u;

/** The first group holds what may stay. */
const SIGNS = new RegExp(`(${NEEDED})|${UNSEEN}`, "gu");
const SIGNS_FROM_THE_RIGHT = new RegExp(`(${NEEDED}|${MARKS})|${UNSEEN}`, "gu");
const signsOf = (name: string): RegExp => (FROM_THE_RIGHT.test(name) ? SIGNS_FROM_THE_RIGHT : SIGNS);

/** Nearly every name; of all that is judged here it can hold nothing. */
const PLAIN = /^[!-~][ -~]*$/;

const codeOf = (sign: string): string => `U+${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;

/** What is wrong with a name that could pass for another, or for none, in a sentence; undefined where nothing is. */
export function unseenIn(name: string): string | undefined {
  if (PLAIN.test(name)) return undefined;
  if (name !== "" && NOTHING.test(name)) return "Must not be empty.";
  for (const [sign, needed] of name.matchAll(signsOf(name)))
    if (needed === undefined)
      return `Must hold no characters that are not seen, or turn the direction of text: ${codeOf(sign)}.`;
  return undefined;
}

/** A name that others gave, without what cannot be seen of it, in one line. */
export const seenOf = (name: string): string =>
  unseenIn(name) === undefined
    ? name
    : name
        .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
        .replace(signsOf(name), (_, needed: string | undefined) => needed ?? "")
        .trim();

type Complain = (path: (string | number)[], message: string) => void;
type Look = (value: unknown, path: (string | number)[], complain: Complain) => void;

const lookAtName: Look = (value, path, complain) => {
  const wrong = typeof value === "string" ? unseenIn(value) : undefined;
  if (wrong) complain(path, wrong);
};

const together = (looks: readonly (Look | undefined)[]): Look | undefined => {
  const there = looks.filter((look) => look !== undefined);
  return there.length
    ? (value, path, complain) => {
        for (const look of there) look(value, path, complain);
      }
    : undefined;
};

const AS_THEY_CAME = z.registry<{ isKept: true }>();
/** A name that is kept as others gave it: of a device, for one. */
export const asItCame = <S extends z.ZodType>(name: S): S => {
  const marked = name.clone() as S;
  AS_THEY_CAME.add(marked, { isKept: true });
  return marked;
};

/** What looks at all names that a schema asks for; undefined where it asks for none. */
function looksAt(schema: any, field: string | undefined): Look | undefined {
  if (AS_THEY_CAME.has(schema)) return undefined;
  const { type, shape, element, options, innerType, valueType, in: before } = schema._zod.def;
  if (type === "string") return field !== undefined && NAMES.test(field) ? lookAtName : undefined;
  if (type === "union") return together(options.map((option: unknown) => looksAt(option, field)));
  if (type === "pipe") return looksAt(before, field);
  if (innerType) return looksAt(innerType, field);
  if (type === "object") {
    const fields = Object.entries(shape).flatMap(([name, one]) => {
      const look = looksAt(one, name);
      return look ? [[name, look] as const] : [];
    });
    if (!fields.length) return undefined;
    return (value, path, complain) => {
      if (value === null || typeof value !== "object") return;
      for (const [name, look] of fields)
        if (Object.hasOwn(value, name)) look((value as Record<string, unknown>)[name], [...path, name], complain);
    };
  }
  const inner = type === "array" ? looksAt(element, field) : type === "record" ? looksAt(valueType, field) : undefined;
  return (
    inner &&
    ((value, path, complain) => {
      if (Array.isArray(value)) value.forEach((one, at) => inner(one, [...path, at], complain));
      else if (value !== null && typeof value === "object")
        for (const [name, one] of Object.entries(value)) inner(one, [...path, name], complain);
    })
  );
}

/** The schema with the rule that every name which it asks for, however deep, is seen as it is. */
export function withSeenNames<S extends z.ZodType>(schema: S): S {
  const look = looksAt(schema, undefined);
  if (!look) return schema;
  const check = (payload: z.core.ParsePayload): void => {
    const told = new Set<string>();
    look(payload.value, [], (path, message) => {
      // Alternatives of a union look at the same field.
      if (told.has(path.join("."))) return;
      told.add(path.join("."));
      payload.issues.push({ code: "custom", input: payload.value, path, message });
    });
  };
  // Also beside other complaints: one answer names them all.
  return schema.check({ _zod: { check, def: { check: "custom", when: () => true }, onattach: [] } }) as S;
}
