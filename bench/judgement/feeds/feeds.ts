import type { FeedCase } from "./feed-documents.ts";
import { BYTES } from "./feeds-bytes.ts";
import { FORM } from "./feeds-form.ts";
import { TEXT } from "./feeds-text.ts";
import { LAST } from "./feeds-written-last.ts";

/** Documents with the items that a reader must find in them. */
export const FEEDS: readonly FeedCase[] = [...FORM, ...TEXT, ...BYTES, ...LAST];
