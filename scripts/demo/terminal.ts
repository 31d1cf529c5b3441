/**
 * Colours for people: none where the output is no terminal, or NO_COLOR is set (no-color.org); FORCE_COLOR has them
 * anyway.
 */
const coloured = Boolean(process.env["FORCE_COLOR"]) || (process.stdout.isTTY === true && !process.env["NO_COLOR"]);
const paint =
  (code: number) =>
  (text: string): string =>
    coloured ? `\u001B[${code}m${text}\u001B[0m` : text;
export const [bold, dim, red, green, yellow] = [paint(1), paint(2), paint(31), paint(32), paint(33)] as const;

const WIDTH = 110;
// What is painted takes no room.
const widthOf = (text: string): number => [...text.replace(/\u001B\[\d+m/g, "")].length;
const padded = (text: string, width: number): string => text + " ".repeat(Math.max(0, width - widthOf(text)));

/** Breaks a line at words, and indents what follows. */
function wrapped(line: string): string {
  const lines = [""];
  for (const word of line.split(" ")) {
    const last = lines.at(-1)!;
    if (last && widthOf(`${last} ${word}`) > WIDTH) lines.push(word);
    else lines[lines.length - 1] = last ? `${last} ${word}` : word;
  }
  return lines.join("\n  ");
}

export const step = (text: string): void => console.log(`\n${bold(text)}\n${dim("─".repeat(text.length))}`);
export const say = (text: string): void =>
  console.log(
    text
      .split("\n")
      .map((line) => (line.startsWith(" ") ? `  ${line}` : line && `  ${wrapped(line)}`))
      .join("\n"),
  );

/** Rows under a head, each column as wide as its widest cell. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): void {
  columns([head.map((cell) => bold(cell)), ...rows]);
}
export function columns(rows: readonly (readonly string[])[]): void {
  const widths = rows[0]!.map((_, at) => Math.max(...rows.map((row) => widthOf(row[at]!))));
  for (const row of rows)
    console.log(
      `  ${row
        .map((cell, at) => padded(cell, widths[at]!))
        .join("   ")
        .trimEnd()}`,
    );
}
