import { z } from "zod";

/** A form's file, which the gateway streams to the store of blobs before the action is called. */
export interface Upload {
  /** Name of the form's one file field. */
  file: string;
  /** Owner of its blob (core/records/blobs.ts); the domain's name. */
  owner: string;
}

/** What the action gets in its place. A form's text field is never such an object. */
export const Uploaded = z.strictObject(
  {
    /** Its id in the store of blobs: the action takes it over, or removes it. */
    blob: z.string(),
    name: z.string(),
    bytes: z.int(),
    sha256: z.string(),
  },
  "Send one file under this name, with a file name.",
);
export type Uploaded = z.output<typeof Uploaded>;

export const MULTIPART = "multipart/form-data";

/** The same request whichever blob its bytes came to lie in: what tells a repetition under one idempotency key. */
export function withoutBlob(request: Record<string, unknown>, { file }: Upload): Record<string, unknown> {
  const { name, bytes, sha256 } = request[file] as Uploaded;
  return { ...request, [file]: { name, bytes, sha256 } };
}
