import type { Doc } from "../../../../core/records/documents.ts";
import { querySegments } from "../../paths.ts";
import { kindsAt } from "../query/kinds.ts";
import { quoted } from "../query/sql.ts";
import type { Row, Statements } from "../statements.ts";
import type { Fields, Role } from "./fields.ts";

/** Documents of one slice: a few milliseconds. */
const SLICE = 100;

/** What reading all documents found of a field: the kinds of its values, and whether its elements are in their table. */
export interface Finding {
  kinds: number;
  isBuilt: boolean;
}

/**
 * Reads a collection through for fields that get into indexes, once for all of them, in slices, each in a write of its
 * own: between them the event loop runs. What was found holds as long as nothing else writes to the collection.
 */
export class Survey {
  readonly findings = new Map<string, Finding>();
  readonly #table: string;
  readonly #fields: Fields;
  readonly #statements: Statements;

  constructor(collection: string, fields: Fields, statements: Statements) {
    this.#table = quoted(collection);
    this.#fields = fields;
    this.#statements = statements;
  }

  /** `each` is called inside of the slice's write, with its first and last number. */
  *steps(roles: ReadonlyMap<string, Role>, each: ((from: number, to: number) => void) | undefined): Steps {
    const unknown = [...roles.keys()].filter((path) => path !== "_id" && !this.#fields.known(path));
    for (const path of unknown) this.findings.set(path, { kinds: 0, isBuilt: false });
    if (unknown.length || each)
      yield* this.#slices(unknown.length > 0, (docs, from, to) => {
        for (const path of unknown) this.#learn(path, docs);
        each?.(from, to);
      });
    const arrays = [...roles].filter(([path, role]) => this.#fields.lacksElements(path, role, this.findings.get(path)));
    if (!arrays.length) return;
    yield () => {
      for (const [path, role] of arrays) this.#fields.makeElements(path, role);
    };
    yield* this.#slices(true, (docs) => {
      for (const [path] of arrays) this.#fields.fillElements(path, docs);
    });
    for (const [path] of arrays) this.findings.set(path, { kinds: 0, ...this.findings.get(path), isBuilt: true });
  }

  #learn(path: string, docs: readonly [number, Doc][]): void {
    const found = this.findings.get(path)!;
    const segments = querySegments(path);
    for (const [, doc] of docs) found.kinds |= kindsAt(doc, segments);
  }

  *#slices(areRead: boolean, take: (docs: [number, Doc][], from: number, to: number) => void): Steps {
    const text = `select n${areRead ? ", json(doc)" : ""} from ${this.#table} where n > ? order by n limit ${SLICE}`;
    const read = { to: Number.MIN_SAFE_INTEGER, isOver: false };
    while (!read.isOver)
      yield () => {
        const rows = this.#statements.all({ text, args: [read.to] });
        read.isOver = rows.length < SLICE;
        if (!rows.length) return;
        read.to = rows.at(-1)![0] as number;
        take(areRead ? rows.map(parsed) : [], rows[0]![0] as number, read.to);
      };
  }
}

/** Writes one after another. */
export type Steps = Generator<() => void, void, void>;

const parsed = ([n, doc]: Row): [number, Doc] => [n as number, JSON.parse(doc as string) as Doc];
