import { createCipheriv, createHash, pbkdf2Sync, randomBytes } from "node:crypto";
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

/**
 * An ODT encrypted as office programs do (OASIS ODF 1.3 part 2, 4), with few rounds of its hash; `how`: another cipher's
 * name.
 */
export function encryptedOdt(
  text: string,
  password: string,
  how = "http://www.w3.org/2001/04/xmlenc#aes256-cbc",
): Buffer {
  const rounds = 100;
  const deflated = deflateRawSync(`<?xml version="1.0"?><d xmlns:text="t">${text}</d>`);
  const [salt, iv] = [randomBytes(16), randomBytes(16)];
  const key = pbkdf2Sync(createHash("sha256").update(password).digest(), salt, rounds, 32, "sha1");
  const fill = 16 - (deflated.length % 16);
  const cipher = createCipheriv("aes-256-cbc", key, iv).setAutoPadding(false);
  const sealed = Buffer.concat([cipher.update(Buffer.concat([deflated, Buffer.alloc(fill, fill)])), cipher.final()]);
  const checksum = createHash("sha256").update(deflated.subarray(0, 1_024)).digest("base64");
  const manifest =
    '<?xml version="1.0"?><m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><m:file-entry m:full-path="/"/>' +
    `<m:file-entry m:full-path="content.xml" m:size="9"><m:encryption-data m:checksum-type="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0#sha256-1k" m:checksum="${checksum}">` +
    `<m:algorithm m:algorithm-name="${how}" m:initialisation-vector="${iv.toString("base64")}"/>` +
    `<m:key-derivation m:key-derivation-name="PBKDF2" m:key-size="32" m:iteration-count="${rounds}" m:salt="${salt.toString("base64")}"/>` +
    '<m:start-key-generation m:start-key-generation-name="http://www.w3.org/2000/09/xmldsig#sha256" m:key-size="32"/>' +
    "</m:encryption-data></m:file-entry></m:manifest>";
  return zip([
    { name: "mimetype", data: "application/vnd.oasis.opendocument.text", stored: true },
    { name: "content.xml", data: sealed, stored: true },
    { name: "META-INF/manifest.xml", data: manifest },
  ]);
}

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

const SECTOR = 512;
const FREE = 0xffffffff,
  END = 0xfffffffe,
  FAT = 0xfffffffd;

/** A compound file ([MS-CFB]) of these streams: short ones lie in the mini stream. */
export function compoundFile(streams: Readonly<Record<string, Buffer>>): Buffer {
  const padded = (bytes: Buffer, unit: number): Buffer =>
    Buffer.concat([bytes, Buffer.alloc((unit - (bytes.length % unit)) % unit)]);
  const sectors: Buffer[] = [];
  const fat: number[] = [];
  const store = (bytes: Buffer): number => {
    const start = sectors.length;
    const whole = padded(bytes, SECTOR);
    for (let at = 0; at < whole.length; at += SECTOR) {
      sectors.push(whole.subarray(at, at + SECTOR));
      fat.push(at + SECTOR < whole.length ? sectors.length : END);
    }
    return whole.length ? start : END;
  };
  const entry = (name: string, type: number, start: number, size: number): Buffer => {
    const made = Buffer.alloc(128);
    const written = made.write(name, "utf16le");
    made.writeUInt16LE(written + 2, 64);
    made[66] = type;
    for (const at of [68, 72, 76]) made.writeUInt32LE(FREE, at);
    made.writeUInt32LE(start, 116);
    made.writeUInt32LE(size, 120);
    return made;
  };
  let mini: Buffer = Buffer.alloc(0);
  const miniFat: number[] = [];
  const entries = Object.entries(streams).map(([name, bytes]) => {
    if (bytes.length >= 4_096) return entry(name, 2, store(bytes), bytes.length);
    const start = miniFat.length;
    mini = Buffer.concat([mini, padded(bytes, 64)]);
    while (miniFat.length * 64 < mini.length)
      miniFat.push((miniFat.length + 1) * 64 < mini.length ? miniFat.length + 1 : END);
    return entry(name, 2, start, bytes.length);
  });
  const numbers = (values: readonly number[]): Buffer => {
    const made = Buffer.alloc(Math.ceil(values.length / 128) * SECTOR, 0xff);
    values.forEach((value, at) => made.writeUInt32LE(value, at * 4));
    return made;
  };
  const root = entry("Root Entry", 5, store(mini), mini.length);
  const directory = store(padded(Buffer.concat([root, ...entries]), SECTOR));
  const miniAt = store(numbers(miniFat));
  const fatAt = sectors.length;
  const fatSectors = Math.ceil((sectors.length + 8) / 128);
  for (let nth = 0; nth < fatSectors; nth++) fat.push(FAT);
  const header = Buffer.alloc(SECTOR, 0);
  header.write("d0cf11e0a1b11ae1", "hex");
  for (const [value, at] of [
    [0x3e, 24],
    [3, 26],
    [0xfffe, 28],
    [9, 30],
    [6, 32],
  ] as const)
    header.writeUInt16LE(value, at);
  for (const [value, at] of [
    [fatSectors, 44],
    [directory, 48],
    [4_096, 56],
    [miniAt, 60],
    [1, 64],
    [END, 68],
  ] as const)
    header.writeUInt32LE(value, at);
  header.fill(0xff, 76);
  for (let nth = 0; nth < fatSectors; nth++) header.writeUInt32LE(fatAt + nth, 76 + nth * 4);
  return Buffer.concat([header, ...sectors, numbers(fat)]);
}

/** A document encrypted as office programs do ([MS-OFFCRYPTO] 2.3.4.10), with few rounds of its hash. */
export function encryptedOffice(document: Buffer, password: string): Buffer {
  const rounds = 100;
  const hash = (...parts: Uint8Array[]): Buffer => createHash("sha512").update(Buffer.concat(parts)).digest();
  const number = (value: number): Buffer => Buffer.from(Uint32Array.of(value).buffer);
  const enciphered = (key: Buffer, iv: Buffer, bytes: Buffer): Buffer => {
    const cipher = createCipheriv("aes-256-cbc", key, iv).setAutoPadding(false);
    const filled = Buffer.concat([bytes, Buffer.alloc((16 - (bytes.length % 16)) % 16)]);
    return Buffer.concat([cipher.update(filled), cipher.final()]);
  };
  const [salt, dataSalt, secret, verifier] = [16, 16, 32, 16].map((bytes) => randomBytes(bytes)) as [
    Buffer,
    Buffer,
    Buffer,
    Buffer,
  ];
  let spun = hash(salt, Buffer.from(password, "utf16le"));
  for (let round = 0; round < rounds; round++) spun = hash(number(round), spun);
  const sealed = (purpose: string, bytes: Buffer): string =>
    enciphered(hash(spun, Buffer.from(purpose, "hex")).subarray(0, 32), salt, bytes).toString("base64");
  const common =
    'saltSize="16" blockSize="16" keyBits="256" hashSize="64" cipherAlgorithm="AES" cipherChaining="ChainingModeCBC" hashAlgorithm="SHA512"';
  const xml =
    `<?xml version="1.0"?><encryption><keyData ${common} saltValue="${dataSalt.toString("base64")}"/><keyEncryptors><keyEncryptor>` +
    `<p:encryptedKey spinCount="${rounds}" ${common} saltValue="${salt.toString("base64")}" encryptedVerifierHashInput="${sealed("fea7d2763b4b9e79", verifier)}" ` +
    `encryptedVerifierHashValue="${sealed("d7aa0f6d3061344e", hash(verifier))}" encryptedKeyValue="${sealed("146e0be7abacd0d6", secret)}"/></keyEncryptor></keyEncryptors></encryption>`;
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(document.length));
  const segments = Array.from({ length: Math.ceil(document.length / 4_096) }, (_, nth) =>
    enciphered(secret, hash(dataSalt, number(nth)).subarray(0, 16), document.subarray(nth * 4_096, (nth + 1) * 4_096)),
  );
  return compoundFile({
    EncryptionInfo: Buffer.concat([Buffer.from("0400040040000000", "hex"), Buffer.from(xml)]),
    EncryptedPackage: Buffer.concat([size, ...segments]),
  });
}
