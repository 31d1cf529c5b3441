import { z } from "zod";
import { DidDocument } from "../../../../core/did/did-documents.ts";

/** Error names of DID Core 1.0 §7.1.2, DID Resolution 0.3 §11 and did:key §3.1. */
const RESOLUTION_ERRORS = [
  "invalidDid",
  "notFound",
  "methodNotSupported",
  "unsupportedPublicKeyType",
  "representationNotSupported",
  "invalidDidDocument",
  "internalError",
] as const;
export type ResolutionError = (typeof RESOLUTION_ERRORS)[number];

/** Media types a document can be asked for in. */
export const REPRESENTATIONS = ["application/did+ld+json", "application/did+json", "application/did"] as const;
export type Representation = (typeof REPRESENTATIONS)[number];

export const Resolution = z
  .object({
    didDocument: DidDocument.nullable(),
    didResolutionMetadata: z.object({
      contentType: z.enum(REPRESENTATIONS).optional(),
      error: z.enum(RESOLUTION_ERRORS).optional(),
      message: z.string().optional(),
    }),
    didDocumentMetadata: z.object({
      created: z.string().optional(),
      updated: z.string().optional(),
      deactivated: z.boolean().optional(),
    }),
  })
  .meta({ id: "DidResolution" });
export type Resolution = z.output<typeof Resolution>;

/** Why a DID did not resolve; thrown by the methods, answered by the resolver. */
export class Unresolved extends Error {
  readonly error: ResolutionError;
  /** Whether the server that had to be asked gave no answer. */
  readonly isUnanswered: boolean;
  constructor(error: ResolutionError, message: string, isUnanswered = false) {
    super(message);
    this.name = "Unresolved";
    this.error = error;
    this.isUnanswered = isUnanswered;
  }
}

export const unresolved = (error: ResolutionError, message: string): Resolution => ({
  didDocument: null,
  didResolutionMetadata: { error, message },
  didDocumentMetadata: {},
});

/** A deactivated DID has no document any more (DID Resolution §4.2). */
export const deactivated = (created: string, updated: string): Resolution => ({
  didDocument: null,
  didResolutionMetadata: {},
  didDocumentMetadata: { deactivated: true, created: seconds(created), updated: seconds(updated) },
});

/** XML Schema dateTime in UTC without fractions of a second (DID Core §7.1.3). */
export const seconds = (instant: string): string => instant.replace(/\.\d+Z$/, "Z");
