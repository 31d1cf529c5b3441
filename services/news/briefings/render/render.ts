/**
 * The views of a stored briefing: a page, a document, plain text. All read the Markdown with one reader, which knows no
 * HTML and no images.
 */
export { toText } from "../../../../adapters/channels/text.ts";
export { toHtml, type Readable } from "./html.ts";
export { toPdf } from "./pdf-thread.ts";
