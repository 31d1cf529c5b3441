/** Where the endpoints of Document 1, and what was added to them, lie below `/api`. */
const DOCUMENT_1 =
  /^\/api\/(articles|briefings|escrow|keys|search|sources|v1|verification|webhooks|admin\/api-keys)(\/|$)|^\/api\/auth\/login$/;

/**
 * Whether too many requests at this address (429) are answered by Document 1's own body, to the letter:
 * `{success: false, error: "Rate limit exceeded", retryAfter}`. Everywhere else it is an error like the others.
 */
export const hasOwnLimitBody = (path: string): boolean => DOCUMENT_1.test(path);
