import type { Side } from "../../../services/picture/cop/linkages/matching.ts";

/** Pairs of a feature and a record as people would judge them, with the traps that such names and places hold. */
export interface Pair {
  same: boolean;
  trap?: string;
  feature: Side;
  record: Side;
}

const at = (lon: number, lat: number): [number, number] => [lon, lat];
const noon = "2026-01-01T12:00:00Z";
const evening = "2026-01-01T19:00:00Z";

export const PAIRS: readonly Pair[] = [
  {
    same: true,
    feature: { name: "2-7 IN", position: at(13, 52) },
    record: { name: "2-7 IN", position: at(13.0005, 52) },
  },
  {
    same: true,
    trap: "case",
    feature: { name: "3RD BRIDGE COMPANY", position: at(13, 52) },
    record: { name: "3rd Bridge Company", position: at(13.001, 52) },
  },
  {
    same: true,
    trap: "accents",
    feature: { name: "Régiment de Génie 13", position: at(7, 48) },
    record: { name: "Regiment de Genie 13", position: at(7.001, 48) },
  },
  {
    same: true,
    trap: "typing error",
    feature: { name: "Feldlazarett Nord", position: at(9, 51) },
    record: { name: "Feldlazaret Nord", position: at(9, 51) },
  },
  {
    same: true,
    trap: "hyphen",
    feature: { name: "UAV-Team Alpha", position: at(11, 50) },
    record: { name: "UAV Team Alpha", position: at(11, 50.0004) },
  },
  {
    same: true,
    trap: "no place, one DID",
    feature: { name: "Convoy", identity: "did:x:1" },
    record: { name: "C-7", identity: "did:x:1" },
  },
  {
    same: true,
    trap: "renamed and moved, one uid",
    feature: { name: "Ambulance", identity: "U1", position: at(13, 52), at: noon },
    record: { name: "Rescue 4", identity: "U1", position: at(13.2, 52), at: evening },
  },
  {
    same: true,
    trap: "moved a little since",
    feature: { name: "Recce Troop 2", position: at(13, 52), at: noon },
    record: { name: "Recce Troop 2", position: at(13.05, 52), at: evening },
  },
  {
    same: true,
    trap: "rough place",
    feature: { name: "Field Hospital", position: at(13, 52), ce: 3_000 },
    record: { name: "Field Hospital", position: at(13.04, 52), ce: 50 },
  },
  {
    same: true,
    trap: "order of words",
    feature: { name: "Alpha Company", position: at(13, 52) },
    record: { name: "Company Alpha", position: at(13.0003, 52) },
  },
  {
    same: true,
    feature: { name: "Логистический пункт", position: at(37, 55) },
    record: { name: "Логистический пункт", position: at(37, 55) },
  },
  {
    same: true,
    feature: { name: "第3工兵中隊", position: at(139, 35) },
    record: { name: "第3工兵中隊", position: at(139.0005, 35) },
  },
  {
    same: true,
    trap: "name alone",
    feature: { name: "Bridge Company Rhine" },
    record: { name: "Bridge Company Rhine" },
  },
  {
    same: false,
    trap: "other number, same place",
    feature: { name: "4th Bridge Company", position: at(13, 52) },
    record: { name: "3rd Bridge Company", position: at(13, 52) },
  },
  {
    same: false,
    trap: "other number at the end",
    feature: { name: "UAV 12", position: at(13, 52) },
    record: { name: "UAV 13", position: at(13.0001, 52) },
  },
  {
    same: false,
    trap: "same name, other DID",
    feature: { name: "Medic", identity: "did:x:1", position: at(13, 52) },
    record: { name: "Medic", identity: "did:x:2", position: at(13, 52) },
  },
  {
    same: false,
    trap: "near, other name",
    feature: { name: "Water point", position: at(13, 52) },
    record: { name: "Fuel point", position: at(13.0002, 52) },
  },
  {
    same: false,
    trap: "nearness alone",
    feature: { position: at(13, 52) },
    record: { name: "2-7 IN", position: at(13, 52) },
  },
  {
    same: false,
    trap: "like name, far away",
    feature: { name: "Feldlazarett Nord", position: at(9, 51) },
    record: { name: "Feldlazarett Nordost", position: at(12, 53) },
  },
  {
    same: false,
    trap: "part of a name",
    feature: { name: "Company", position: at(13, 52) },
    record: { name: "Alpha Company", position: at(13.2, 52) },
  },
  {
    same: false,
    trap: "usual name, far away",
    feature: { name: "Checkpoint", position: at(13, 52) },
    record: { name: "Check point west", position: at(13.9, 52) },
  },
  {
    same: false,
    trap: "nothing in common",
    feature: { name: "Ambulance", position: at(2, 48) },
    record: { name: "Drone", position: at(13, 52) },
  },
  {
    same: false,
    trap: "one letter is the difference",
    feature: { name: "Team A", position: at(13, 52) },
    record: { name: "Team B", position: at(13.1, 52) },
  },
  {
    same: true,
    trap: "one's plate in the other's words",
    feature: { name: "Tatra, SPZ 3H2 1177", marks: ["3H21177"], position: at(16.211, 50.12) },
    record: { name: "Tanker of Kostelec", marks: ["3H21177"], position: at(16.21, 50.12) },
  },
  {
    same: true,
    trap: "seen elsewhere, one plate",
    feature: { name: "Fire engine 3h2-1177", marks: ["3H21177"], position: at(16.08, 50.15), at: evening },
    record: { name: "Tatra 815", marks: ["3H21177"], position: at(16.21, 50.12), at: evening },
  },
  {
    same: false,
    trap: "another plate",
    feature: { name: "Tatra 815, 3H2 1178", marks: ["3H21178"], position: at(16.211, 50.12) },
    record: { name: "Tatra 815 of Kostelec", marks: ["3H21177"], position: at(16.21, 50.12) },
  },
  {
    same: false,
    trap: "its plate is named, of what follows it",
    feature: { name: "Ambulance behind 3H2 1177", marks: ["3H21177"], position: at(16.4, 50.2), at: noon },
    record: { name: "Tatra 815", marks: ["3H21177"], position: at(16.21, 50.12), at: evening },
  },
  {
    same: false,
    trap: "parent and child",
    feature: { name: "2-7 IN A Coy", position: at(13, 52) },
    record: { name: "2-7 IN", position: at(13.02, 52) },
  },
];
