import { useEffect, useState } from "react";

/** A symbol of MIL-STD-2525 as SVG, and where within it the place lies. */
export interface SymbolImage {
  svg: string;
  width: number;
  height: number;
  anchor: readonly [number, number];
}
export type SymbolMaker = (code: string) => SymbolImage | undefined;

/** Codes of 2525C have letters and signs, those of 2525D and E digits: nothing else becomes part of a picture. */
const CODE = /^(?:\d{20}|\d{30}|[A-Z*-]{10,15})$/;
const SIZE = 26;

async function load(): Promise<SymbolMaker> {
  const { default: ms } = await import("milsymbol");
  const made = new Map<string, SymbolImage | undefined>();
  const make = (code: string): SymbolImage | undefined => {
    if (!CODE.test(code)) return undefined;
    const symbol = new ms.Symbol(code, { size: SIZE, outlineWidth: 4, outlineColor: "#ffffff" });
    const { width, height } = symbol.getSize();
    const { x, y } = symbol.getAnchor();
    return { svg: symbol.asSVG(), width, height, anchor: [x, y] };
  };
  return (code) => {
    if (!made.has(code)) made.set(code, make(code));
    return made.get(code);
  };
}
let loading: Promise<SymbolMaker> | undefined;

/** Draws symbols; fetched when the first feature has one. */
export function useSymbols(areWanted: boolean): SymbolMaker | undefined {
  const [maker, setMaker] = useState<SymbolMaker>();
  useEffect(() => {
    if (!areWanted) return;
    loading ??= load();
    void loading.then((loaded) => setMaker(() => loaded));
  }, [areWanted]);
  return maker;
}
