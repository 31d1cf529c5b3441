import type { ReactNode } from "react";
import { RotateKey } from "../../app/encryption/rotate-key.tsx";
import type { EncryptionKey } from "../../app/encryption/texts.tsx";
import { Table, type Column } from "../../parts/table.tsx";
import { Time } from "../../parts/texts.tsx";
import { useCompartments } from "../set/known.ts";
import { useSet } from "../set/use-set.tsx";

/** Who can use a key of the set, in words. */
export function useReadersOf(): (key: EncryptionKey) => string {
  const { data } = useCompartments("active");
  const names = new Map(data?.data.map(({ id, name }) => [id, name]));
  return ({ compartments = [] }) =>
    compartments.length
      ? `only those read into ${compartments.map((id) => names.get(id) ?? "a compartment").join(" and ")}`
      : "everybody in the problem set";
}

const NAMED: Column<EncryptionKey> = { head: "Key", cell: ({ name }) => name };
const AGE: readonly Column<EncryptionKey>[] = [
  { head: "Version", cell: ({ version }) => version, isFigure: true },
  { head: "Since", cell: ({ rotatedAt, createdAt }) => <Time at={rotatedAt ?? createdAt} /> },
  { head: "Made by", cell: ({ createdBy, createdByName }) => createdByName ?? createdBy },
];
const ACTS: Column<EncryptionKey> = { head: "Acts", isAct: true, cell: (key) => <RotateKey {...key} /> };

interface KeyTableProps {
  keys: readonly EncryptionKey[];
  label: string;
  empty: ReactNode;
  /** Where all of them are for the same people. */
  saysReaders?: boolean;
}

/** Keys of the set, which whoever manages them rotates. */
export function KeyTable({ keys, label, empty, saysReaders = false }: KeyTableProps): ReactNode {
  const { maySet } = useSet();
  const readersOf = useReadersOf();
  return (
    <Table
      label={label}
      rows={keys}
      keyOf={({ id }) => id}
      empty={empty}
      columns={[
        NAMED,
        ...(saysReaders ? [{ head: "Who can use it", cell: readersOf }] : []),
        ...AGE,
        ...(maySet("encryption:manage") ? [ACTS] : []),
      ]}
    />
  );
}
