import { createRequire } from "node:module";
import PDFDocument from "pdfkit";
import type { Interval } from "../runs/scoring.ts";

const resolveFont = createRequire(import.meta.url).resolve;
const FONTS = { regular: "DejaVuSansCondensed.ttf", bold: "DejaVuSansCondensed-Bold.ttf" } as const;
const MARGIN = 56;
/** Widths of the text beside a chart, and of the chart with its scale. */
const WORDS = 170;
const CHART = { width: 276, height: 70 };
const INSET = 8;
const CHART_LEFT = MARGIN + WORDS + 38;
const ROW = 104;
const INK = "#1c2024",
  DIM = "#5d6670",
  LINE = "#0b5cad",
  BAND = "#d6e4f3",
  WHISKER = "#8fb4dc",
  BROKEN = "#b3261e";
const LEGEND =
  "Each point is a validation and its pass rate, the bar through it Wilson's interval of 95 %, the dashed line the " +
  "threshold. Points that are not joined do not compare: the cases, the model, or the agent itself changed between them.";
const MISSING = "\u25a1";

/** A point of an agent's history, the oldest first. */
export interface HistoryPoint {
  at: string;
  score: number;
  passRate: number;
  interval: Interval;
  isNewLine: boolean;
}
export interface Reported {
  name: string;
  circuit: string;
  bounds: readonly { metric: string; min: number }[];
  points: readonly HistoryPoint[];
}
/** The content of the report, its time, and its reader's name, if known. */
export interface PdfReport {
  rows: readonly Reported[];
  at: string;
  by?: string;
}

const percent = (share: number): string => `${Math.round(share * 100)}\u00a0%`;
const dayOf = (at: string): string => at.slice(0, 10);
function saying({ passRate, interval: { low, high }, score, at }: HistoryPoint): string {
  const share = `${percent(passRate)} of its cases passed (${percent(low)} to ${percent(high)})`;
  return `${share}, score ${score.toFixed(2)}, on ${dayOf(at)}`;
}
const demanded = (bounds: Reported["bounds"]): string =>
  bounds
    .map(({ metric, min }) => (metric === "score" ? `score at least ${min.toFixed(2)}` : `at least ${percent(min)}`))
    .join(", ");

/** The points of a history in a chart of this size, from its upper left corner. */
function chartPoints(
  points: readonly Pick<HistoryPoint, "passRate">[],
  { width, height }: typeof CHART,
): [number, number][] {
  return points.map(({ passRate }, at) => [
    points.length === 1 ? width / 2 : INSET + (at * (width - 2 * INSET)) / (points.length - 1),
    height * (1 - passRate),
  ]);
}

/** Names may contain anything: a character that the font lacks is shown as a box, and counted. */
class Words {
  missing = 0;
  readonly #knows: (codePoint: number) => boolean;

  constructor(document: PDFKit.PDFDocument) {
    const { font } = (document.font("bold") as unknown as { _font: { font: GlyphSet } })._font;
    this.#knows = (codePoint) => font.hasGlyphForCodePoint(codePoint);
  }

  shown(text: string): string {
    return Array.from(text, (sign) => {
      if (this.#knows(sign.codePointAt(0)!)) return sign;
      this.missing += 1;
      return MISSING;
    }).join("");
  }
}
interface GlyphSet {
  hasGlyphForCodePoint(codePoint: number): boolean;
}

/** The frame of a chart, with the labels of its axes. */
function frame(document: PDFKit.PDFDocument, x: number, y: number, points: readonly HistoryPoint[]): void {
  const { width, height } = CHART;
  document.lineWidth(0.5).strokeColor(DIM).rect(x, y, width, height).stroke();
  document.font("regular").fontSize(7).fillColor(DIM);
  for (const share of [1, 0.5, 0])
    document.text(percent(share), x - 34, y + height * (1 - share) - 4, {
      width: 30,
      align: "right",
      lineBreak: false,
    });
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return;
  const below = { width, lineBreak: false };
  if (points.length > 1) document.text(dayOf(first.at), x, y + height + 3, below);
  document.text(dayOf(last.at), x, y + height + 3, { ...below, align: points.length > 1 ? "right" : "center" });
}

function chart(document: PDFKit.PDFDocument, x: number, y: number, { points, bounds }: Reported): void {
  const { width, height } = CHART;
  frame(document, x, y, points);
  const places = chartPoints(points, CHART).map(([dx, dy]): [number, number] => [x + dx, y + dy]);
  const sides = points.map(({ interval: { low, high } }) => [y + height * (1 - high), y + height * (1 - low)] as const);
  // Points of runs that cannot be compared are not connected.
  const joined = points.flatMap(({ isNewLine }, at) => (at && !isNewLine ? [at] : []));
  for (const at of joined) {
    const [before, own] = [places[at - 1]![0], places[at]![0]];
    const [[upper, lower], [top, bottom]] = [sides[at - 1]!, sides[at]!];
    document.polygon([before, upper], [own, top], [own, bottom], [before, lower]).fill(BAND);
  }
  document.lineWidth(0.8).strokeColor(WHISKER);
  for (const [at, [top, bottom]] of sides.entries())
    document.moveTo(places[at]![0], top).lineTo(places[at]![0], bottom).stroke();
  document.lineWidth(0.7).strokeColor(BROKEN);
  for (const { min } of bounds.filter(({ metric }) => metric === "pass-rate")) {
    const at = y + height * (1 - min);
    document
      .dash(3, {})
      .moveTo(x, at)
      .lineTo(x + width, at)
      .stroke()
      .undash();
  }
  document.lineWidth(1.2).strokeColor(LINE);
  for (const at of joined)
    document
      .moveTo(...places[at - 1]!)
      .lineTo(...places[at]!)
      .stroke();
  for (const place of places) document.circle(...place, 1.8).fill(LINE);
}

function row(document: PDFKit.PDFDocument, y: number, one: Reported, words: Words): void {
  const last = one.points.at(-1);
  const below = { width: WORDS };
  document
    .font("bold")
    .fontSize(11)
    .fillColor(INK)
    .text(words.shown(one.name), MARGIN, y, { ...below, height: 28, ellipsis: true });
  document
    .font("regular")
    .fontSize(9)
    .fillColor(one.circuit === "closed" ? DIM : BROKEN);
  document.text(`circuit ${one.circuit}`, below);
  document.fillColor(DIM).text(last ? saying(last) : "never validated", below);
  if (one.bounds.length) document.text(demanded(one.bounds), below);
  chart(document, CHART_LEFT, y + 2, one);
}

function numberPages(document: PDFKit.PDFDocument): void {
  const { start, count } = document.bufferedPageRange();
  for (let page = start; page < start + count; page++) {
    document.switchToPage(page);
    document.font("regular").fontSize(8).fillColor(DIM);
    // Without a bottom margin, text there would not start a new page.
    document.page.margins.bottom = 0;
    const width = document.page.width - 2 * MARGIN;
    const text = `${page - start + 1} of ${count}`;
    document.text(text, MARGIN, document.page.height - 36, { width, align: "right", lineBreak: false });
  }
}

/**
 * The report as PDF (A4): for each agent its circuit, its last result, and its pass rate over time with the interval.
 */
export async function validationPdf({ rows, at, by }: PdfReport): Promise<Buffer> {
  const moment = new Date(at);
  const title = "Validation of agents";
  const info = { Title: title, Producer: "Signalmesh", Creator: "Signalmesh", CreationDate: moment, ModDate: moment };
  const how = { size: "A4", margin: MARGIN, lang: "en", displayTitle: true, bufferPages: true, info };
  const document = new PDFDocument(how);
  const chunks: Buffer[] = [];
  const done = new Promise<Buffer>((resolve, reject) => {
    document.on("data", (chunk: Buffer) => chunks.push(chunk));
    document.on("end", () => resolve(Buffer.concat(chunks)));
    document.on("error", reject);
  });
  for (const [face, file] of Object.entries(FONTS))
    document.registerFont(face, resolveFont(`dejavu-fonts-ttf/ttf/${file}`));
  const words = new Words(document);
  const seen = `${by === undefined ? "As it was seen" : `As ${words.shown(by)} saw it`} on ${dayOf(at)} at ${at.slice(11, 16)} UTC.`;
  document.font("bold").fontSize(18).fillColor(INK).text(title);
  document.font("regular").fontSize(9).fillColor(DIM).text(seen);
  document.text(rows.length ? LEGEND : "No agent that is seen there has been enrolled.").moveDown();
  let { y } = document;
  for (const one of rows) {
    if (y + ROW > document.page.height - MARGIN) {
      document.addPage();
      y = MARGIN;
    }
    row(document, y, one, words);
    y += ROW;
  }
  if (words.missing)
    document
      .font("regular")
      .fontSize(8)
      .fillColor(DIM)
      .text(`${words.missing} signs of names are not in the font of this report and stand as boxes.`, MARGIN, y);
  numberPages(document);
  document.end();
  return done;
}
