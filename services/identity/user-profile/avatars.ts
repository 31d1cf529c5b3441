import { z } from "zod";
import { Problem, unprocessable } from "../../../core/problem.ts";

export const MOST_BYTES = 512 * 1024;
/** Larger pictures make a browser allocate what a few bytes of file claim. */
const MOST_PIXELS = 4_096;

export const AvatarView = z
  .object({ url: z.string(), type: z.string(), width: z.int(), height: z.int(), bytes: z.int() })
  .meta({ id: "Avatar" });

export interface Picture {
  type: "image/png" | "image/jpeg" | "image/webp";
  width: number;
  height: number;
  bytes: Buffer;
}

const PNG = Buffer.from("89504e470d0a1a0a", "hex");
/** What a picture needs to be drawn; anything else (text, EXIF with a place, trailing archives) is left behind. */
const PNG_KEPT = new Set(["IHDR", "PLTE", "tRNS", "IDAT", "IEND", "gAMA", "sRGB", "cHRM"]);
const WEBP_KEPT = new Set(["VP8 ", "VP8L", "VP8X", "ALPH", "ICCP"]);
const broken = (): Problem => unprocessable("INVALID_IMAGE", "This picture is damaged.");

/**
 * The picture by what its bytes are, whatever they are called, without anything that is not picture. Throws 415 or 422.
 */
export function pictureOf(bytes: Buffer): Picture {
  const picture = bytes.subarray(0, 8).equals(PNG)
    ? png(bytes)
    : bytes[0] === 0xff && bytes[1] === 0xd8
      ? jpeg(bytes)
      : bytes.toString("latin1", 0, 4) === "RIFF" && bytes.toString("latin1", 8, 12) === "WEBP"
        ? webp(bytes)
        : undefined;
  if (!picture)
    throw new Problem(415, "UNSUPPORTED_MEDIA_TYPE", "Send a PNG, JPEG or WebP picture.", {
      headers: { Accept: "image/png, image/jpeg, image/webp" },
    });
  if (picture.width < 1 || picture.height < 1) throw broken();
  if (picture.width > MOST_PIXELS || picture.height > MOST_PIXELS)
    throw unprocessable(
      "IMAGE_TOO_LARGE",
      `A picture may be ${MOST_PIXELS} pixels wide and high; this one is ${picture.width} × ${picture.height}.`,
    );
  return picture;
}

/** PNG (ISO/IEC 15948 §5): length, type, data, CRC. */
function png(bytes: Buffer): Picture {
  const kept: Buffer[] = [PNG];
  for (let at = 8; ;) {
    if (at + 12 > bytes.length) throw broken();
    const end = at + 12 + bytes.readUInt32BE(at);
    if (end > bytes.length) throw broken();
    const kind = bytes.toString("latin1", at + 4, at + 8);
    if (at === 8 && kind !== "IHDR") throw broken();
    if (PNG_KEPT.has(kind)) kept.push(bytes.subarray(at, end));
    if (kind === "IEND") break;
    at = end;
  }
  return {
    type: "image/png",
    width: bytes.readUInt32BE(16),
    height: bytes.readUInt32BE(20),
    bytes: Buffer.concat(kept),
  };
}

/** Frame headers of JPEG (ITU-T T.81 table B.1): SOF0–15 without DHT, JPG and DAC. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** Where the coded data after a scan header ends: at the next marker that is neither a stuffed byte nor a restart. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1]!;
    if (next !== 0x00 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  throw broken();
}

/**
 * JPEG: segments are kept unless they are applications' own (APP1 to APP15) or comments; what follows EOI is no
 * picture.
 */
function jpeg(bytes: Buffer): Picture {
  const kept: Buffer[] = [bytes.subarray(0, 2)];
  let size: { width: number; height: number } | undefined;
  for (let at = 2; ;) {
    if (at + 4 > bytes.length && bytes[at + 1] !== 0xd9) throw broken();
    const marker = bytes[at + 1]!;
    if (bytes[at] !== 0xff) throw broken();
    if (marker === 0xd9) break;
    const segment = at + 2 + bytes.readUInt16BE(at + 2);
    if (segment > bytes.length || segment < at + 4) throw broken();
    if (isFrame(marker) && segment >= at + 9)
      size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    const end = marker === 0xda ? endOfScan(bytes, segment) : segment;
    if (!((marker >= 0xe1 && marker <= 0xef) || marker === 0xfe)) kept.push(bytes.subarray(at, end));
    at = end;
  }
  if (!size) throw broken();
  return { type: "image/jpeg", ...size, bytes: Buffer.concat([...kept, Buffer.from([0xff, 0xd9])]) };
}

/** WebP (RFC 9649 §2.3): a RIFF container of chunks padded to even lengths. Animations are not accepted. */
function webp(bytes: Buffer): Picture {
  const kept: Buffer[] = [];
  let size: { width: number; height: number } | undefined;
  const end = Math.min(bytes.length, 8 + bytes.readUInt32LE(4));
  for (let at = 12; at + 8 <= end;) {
    const kind = bytes.toString("latin1", at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    if (at + 8 + length > end) throw broken();
    const chunk = Buffer.from(bytes.subarray(at, at + 8 + length + (length % 2)));
    if (kind === "VP8X") chunk[8]! &= ~0b0000_1110; // neither EXIF nor XMP nor animation
    size ??= webpSize(kind, chunk);
    if (WEBP_KEPT.has(kind)) kept.push(chunk);
    at += 8 + length + (length % 2);
  }
  if (!size || !kept.some((chunk) => /^VP8[ L]/.test(chunk.toString("latin1", 0, 4)))) throw broken();
  const body = Buffer.concat(kept);
  const head = Buffer.from("RIFF\0\0\0\0WEBP", "latin1");
  head.writeUInt32LE(body.length + 4, 4);
  return { type: "image/webp", ...size, bytes: Buffer.concat([head, body]) };
}

function webpSize(kind: string, chunk: Buffer): { width: number; height: number } | undefined {
  if (chunk.length < 18) return undefined;
  if (kind === "VP8X") return { width: chunk.readUIntLE(12, 3) + 1, height: chunk.readUIntLE(15, 3) + 1 };
  if (kind === "VP8 ") return { width: chunk.readUInt16LE(14) & 0x3fff, height: chunk.readUInt16LE(16) & 0x3fff };
  if (kind !== "VP8L") return undefined;
  const bits = chunk.readUInt32LE(9);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}
