import { Uri } from "./kinds.ts";

/**
 * Terms of the base context (https://www.w3.org/ns/credentials/v2), all of them protected: with their IRI where that is
 * the whole definition, null where it says more.
 */
const BASE: Readonly<Record<string, string | null>> = {
  id: "@id",
  type: "@type",
  description: "https://schema.org/description",
  name: "https://schema.org/name",
  mediaType: "https://schema.org/encodingFormat",
  EnvelopedVerifiableCredential: "https://www.w3.org/2018/credentials#EnvelopedVerifiableCredential",
  EnvelopedVerifiablePresentation: "https://www.w3.org/2018/credentials#EnvelopedVerifiablePresentation",
  JsonSchemaCredential: "https://www.w3.org/2018/credentials#JsonSchemaCredential",
  BitstringStatusListCredential: "https://www.w3.org/ns/credentials/status#BitstringStatusListCredential",
  ...Object.fromEntries(
    [
      ...["VerifiableCredential", "VerifiablePresentation", "JsonSchema", "DataIntegrityProof"],
      ...["BitstringStatusList", "BitstringStatusListEntry", "digestMultibase", "digestSRI"],
      ...["...", "_sd", "_sd_alg", "aud", "cnf", "exp", "iat", "iss", "jku", "kid", "nbf", "sub", "x5u"],
    ].map((term) => [term, null]),
  ),
};

type Json = Record<string, unknown>;
const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);

/** What a context says of a term; `iri` is null where the term is taken out of use. */
interface Term {
  iri: string | null;
  isProtected: boolean;
}

/** The terms that a credential's contexts define, in their order, as far as they stand in the credential itself. */
interface Vocabulary {
  terms: Map<string, Term>;
  /** What terms without a definition begin with (`@vocab`). */
  vocab: string | null;
  /** Whether a context lies elsewhere: it may define any term. */
  isOpen: boolean;
}

const isIri = (text: string): boolean => Uri.safeParse(text).success;

/** What a name means: a term, an absolute or compact IRI, or one of the vocabulary; null where nothing. */
function expanded(name: string, { terms, vocab }: Pick<Vocabulary, "terms" | "vocab">): string | null {
  const term = terms.get(name);
  if (term) return term.iri;
  if (name.startsWith("@") || isIri(name)) return name;
  return vocab === null ? null : vocab + name;
}

/** The IRI of a definition; undefined for what is none (JSON-LD 1.1 §9.15). */
function iriOf(name: string, definition: unknown, vocabulary: Vocabulary): string | null | undefined {
  if (definition === null) return null;
  if (typeof definition === "string") return expanded(definition, vocabulary) ?? definition;
  if (!isJson(definition)) return undefined;
  const id = "@id" in definition ? definition["@id"] : name;
  return id === null || typeof id === "string" ? iriOf(name, id, vocabulary) : undefined;
}

/** Takes one context of the credential into the vocabulary; says in words what is wrong with it. */
function define(context: Json, vocabulary: Vocabulary): string[] {
  if ("@vocab" in context) vocabulary.vocab = typeof context["@vocab"] === "string" ? context["@vocab"] : null;
  if ("@import" in context) vocabulary.isOpen = true;
  const faults: string[] = [];
  for (const [name, definition] of Object.entries(context)) {
    if (name.startsWith("@")) continue;
    const iri = iriOf(name, definition, vocabulary);
    const known = vocabulary.terms.get(name);
    if (iri === undefined) faults.push(`the definition of ${name} is none that JSON-LD knows`);
    else if (known?.isProtected && (known.iri === null || known.iri !== iri))
      faults.push(`the term ${name} is protected and keeps its meaning`);
    else {
      const own = isJson(definition) ? definition["@protected"] : undefined;
      const isProtected = (own ?? context["@protected"]) === true || known?.isProtected === true;
      vocabulary.terms.set(name, { iri, isProtected });
    }
  }
  return faults;
}

/**
 * What is wrong, in words, with the contexts of a credential and with types that they give no meaning (VC Data Model
 * 2.0 §4.3, §4.5, §5.2). No context is fetched: where one lies elsewhere, it may mean any type.
 */
export function contextFaults(contexts: readonly unknown[], types: readonly string[]): string[] {
  const base = Object.entries(BASE).map(([name, iri]): [string, Term] => [name, { iri, isProtected: true }]);
  const vocabulary: Vocabulary = { terms: new Map(base), vocab: null, isOpen: contexts.slice(1).some(isAddress) };
  const faults = contexts.filter(isJson).flatMap((context) => define(context, vocabulary));
  for (const type of new Set(types)) {
    if (Object.hasOwn(BASE, type) || (vocabulary.isOpen && !vocabulary.terms.has(type))) continue;
    const iri = expanded(type, vocabulary);
    if (iri === null) faults.push(`no context gives the type ${type} a meaning`);
    else if (!isIri(iri)) faults.push(`the type ${type} leads to no URL: ${iri}`);
  }
  return faults;
}

const isAddress = (context: unknown): boolean => typeof context === "string";
