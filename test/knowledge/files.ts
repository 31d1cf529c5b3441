import { crc32, deflateRawSync, deflateSync } from "node:zlib";
import PDFDocument from "pdfkit";

/** Documents made by hand, for stories of what is read of them. */

/** A PDF of these pages; the first line of each is set large where it begins with `#`. */
export async function pdf(pages: readonly (readonly string[])[], options: object = {}): Promise<Buffer> {
  const document = new PDFDocument({ autoFirstPage: false, ...options });
  const chunks: Buffer[] = [];
  document.on("data", (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve) => document.on("end", resolve));
  for (const lines of pages) {
    document.addPage();
    for (const line of lines)
      if (line.startsWith("#")) document.fontSize(20).text(line.slice(1).trim()).moveDown();
      else document.fontSize(11).text(line).moveDown();
  }
  document.end();
  await ended;
  return Buffer.concat(chunks);
}

export interface Part {
  name: string;
  data: string | Buffer;
  /** Stored as it is. */
  stored?: boolean;
  /** What the archive says of its size, where that is a lie. */
  claims?: number;
}

/** A ZIP archive (APPNOTE 6.3). */
export function zip(parts: readonly Part[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, data, stored, claims } of parts) {
    const raw = Buffer.from(data);
    const packed = stored ? raw : deflateRawSync(raw);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(stored ? 0 : 8, 4);
    fields.writeUInt32LE(crc32(raw), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(claims ?? raw.length, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), fields, Buffer.from(name), packed]);
    const tail = Buffer.alloc(16);
    tail.writeUInt32LE(offset, 12);
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\x00"), fields, tail.subarray(2), Buffer.from(name)]));
    locals.push(local);
    offset += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(parts.length, 4);
  end.writeUInt16LE(parts.length, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, listed, Buffer.from("PK\x05\x06"), end]);
}

const WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const TYPES =
  '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
  '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>';

/** A DOCX with this body, and these notes. */
export const docx = (body: string, notes?: string, more: readonly Part[] = []): Buffer =>
  zip([
    { name: "[Content_Types].xml", data: TYPES },
    {
      name: "word/document.xml",
      data: `<?xml version="1.0"?><w:document ${WORD}><w:body>${body}</w:body></w:document>`,
    },
    {
      name: "word/styles.xml",
      data: `<w:styles ${WORD}><w:style w:type="paragraph" w:styleId="Kop1"><w:name w:val="heading 1"/></w:style></w:styles>`,
    },
    ...(notes ? [{ name: "word/footnotes.xml", data: `<w:footnotes ${WORD}>${notes}</w:footnotes>` }] : []),
    ...more,
  ]);

/** A paragraph of a DOCX. */
export const p = (text: string, properties = ""): string =>
  `<w:p>${properties && `<w:pPr>${properties}</w:pPr>`}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;

/** An ODT with this text. */
export const odt = (text: string): Buffer =>
  zip([
    { name: "mimetype", data: "application/vnd.oasis.opendocument.text", stored: true },
    {
      name: "content.xml",
      data:
        '<?xml version="1.0"?><office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" ' +
        'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" ' +
        'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0">' +
        `<office:body><office:text>${text}</office:text></office:body></office:document-content>`,
    },
  ]);

/** A PDF of one page whose contents unpack to so many bytes, packed so often; called a picture where it is said so. */
export function exploding(unpacked: number, { times = 1, picture = false } = {}): Buffer {
  let stream: Buffer = Buffer.alloc(unpacked, "(a) Tj ");
  for (let nth = 0; nth < times; nth++) stream = deflateSync(stream);
  const head =
    "%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Count 1 /Kids [3 0 R] >>\nendobj\n" +
    "3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>\nendobj\n" +
    "5 0 obj\n<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>\nendobj\n" +
    `4 0 obj\n<< ${picture ? "/Subtype /Image " : ""}/Length ${stream.length} /Filter [${" /FlateDecode".repeat(times)} ] >>\nstream\n`;
  const tail = "\nendstream\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n";
  return Buffer.concat([Buffer.from(head), stream, Buffer.from(tail)]);
}
