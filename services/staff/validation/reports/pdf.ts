import { createRequire } from "node:module";
import PDFDocument from "pdfkit";
import type { Interval } from "../runs/scoring.ts";

const resolveFont = createRequire(import.meta.url).resolve;
const FONTS = { regular: "DejaVuSansCondensed.ttf", bold: "DejaVuSansCondensed-Bold.ttf" } as const;
const MARGIN = 56;
const CHART = { width: 300, height: 70 };
const ROW = 110;
const INK = "#1c2024",
  DIM = "#5d6670",
  LINE = "#0b5cad",
  BAND = "#d6e4f3",
  BROKEN = "#b3261e";

/** A point of an agent's history, the oldest first. */
export interface Point {
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
  points: readonly Point[];
}
/** What the report is of, when, and for whom. */
export interface Report {
  rows: readonly Reported[];
  at: string;
  by: string;
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;
function saying({ passRate, interval: { low, high }, score, at }: Point): string {
  const share = `${percent(passRate)} of its cases passed (${percent(low)} to ${percent(high)})`;
  return `${share}, score ${score.toFixed(2)}, ${at.slice(0, 10)}`;
}

/** Where the points of a history lie in a chart of a width and height, from its upper left corner. */
export function placesOf(
  points: readonly Pick<Point, "passRate">[],
  { width, height }: typeof CHART,
): [number, number][] {
  return points.map(({ passRate }, at) => [
    points.length === 1 ? width / 2 : (at * width) / (points.length - 1),
    height * (1 - passRate),
  ]);
}

function chart(document: PDFKit.PDFDocument, x: number, y: number, { points, bounds }: Reported): void {
  const { width, height } = CHART;
  document.lineWidth(0.5).strokeColor(DIM).rect(x, y, width, height).stroke();
  const places = placesOf(points, CHART);
  const [first] = places;
  if (!first) return;
  const band = (side: (one: Interval) => number): [number, number][] =>
    points.map(({ interval }, at) => [places[at]![0], height * (1 - side(interval))]);
  const outline = [...band(({ high }) => high), ...band(({ low }) => low).reverse()];
  if (points.length > 1) document.polygon(...outline.map(([dx, dy]): [number, number] => [x + dx, y + dy])).fill(BAND);
  for (const { min } of bounds.filter(({ metric }) => metric === "pass-rate")) {
    const at = y + height * (1 - min);
    document
      .lineWidth(0.7)
      .strokeColor(BROKEN)
      .dash(3, {})
      .moveTo(x, at)
      .lineTo(x + width, at)
      .stroke()
      .undash();
  }
  document.lineWidth(1.2).strokeColor(LINE);
  places.forEach(([dx, dy], at) => {
    // Runs that do not compare are not joined.
    if (at && !points[at]!.isNewLine)
      document
        .moveTo(x + places[at - 1]![0], y + places[at - 1]![1])
        .lineTo(x + dx, y + dy)
        .stroke();
    document.circle(x + dx, y + dy, 1.8).fill(LINE);
  });
}

/** The report as PDF (A4): of each agent its circuit, its last result, and its pass rate over time with the interval. */
export async function drawn({ rows, at, by }: Report): Promise<Buffer> {
  const moment = new Date(at);
  const title = "Validation of agents";
  const info = { Title: title, Producer: "Signalmesh", Creator: "Signalmesh", CreationDate: moment, ModDate: moment };
  const document = new PDFDocument({ size: "A4", margin: MARGIN, lang: "en", displayTitle: true, info });
  const chunks: Buffer[] = [];
  const done = new Promise<Buffer>((resolve, reject) => {
    document.on("data", (chunk: Buffer) => chunks.push(chunk));
    document.on("end", () => resolve(Buffer.concat(chunks)));
    document.on("error", reject);
  });
  for (const [face, file] of Object.entries(FONTS))
    document.registerFont(face, resolveFont(`dejavu-fonts-ttf/ttf/${file}`));
  document.font("bold").fontSize(18).fillColor(INK).text(title);
  document.font("regular").fontSize(9).fillColor(DIM).text(`As ${by} saw it at ${at}.`).moveDown();
  if (!rows.length) document.fillColor(INK).text("No agent that you see has been validated.");
  let y = document.y;
  for (const one of rows) {
    if (y + ROW > document.page.height - MARGIN) {
      document.addPage();
      y = MARGIN;
    }
    const last = one.points.at(-1);
    document
      .font("bold")
      .fontSize(11)
      .fillColor(INK)
      .text(one.name, MARGIN, y, { width: 170, height: 28, ellipsis: true });
    const said = last ? saying(last) : "never validated";
    document
      .font("regular")
      .fontSize(9)
      .fillColor(one.circuit === "closed" ? DIM : BROKEN);
    document.text(`circuit ${one.circuit}`, MARGIN, y + 32, { width: 170 });
    document.fillColor(DIM).text(said, MARGIN, y + 46, { width: 170, height: 44, ellipsis: true });
    chart(document, MARGIN + 182, y + 2, one);
    y += ROW;
  }
  document.end();
  return done;
}
