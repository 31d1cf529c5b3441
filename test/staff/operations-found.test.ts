import { figuresOf } from "../../bench/judgement/howto/score.ts";
import { published } from "../../core/contract/catalogue.ts";
import { allServices } from "../../services/index.ts";
import {
  asksHow,
  operationsFor,
  operationsNear,
  operationsOrdered,
} from "../../services/staff/operations/operations.ts";
import { wordings } from "../../services/staff/operations/wordings.ts";

// How something is done here, asked in the words of people who do not know ours.

const services = async () => (await allServices()).map(({ service }) => service);
const called = (found: readonly { method: string; path: string }[] | undefined) =>
  found?.map(({ method, path }) => `${method} ${path}`);

it("names the operation that newcomers mean: plain ones, and those of strangers", async () => {
  for (const [set, first, among] of [
    ["plain", 0.7, 0.82],
    ["stranger", 0.5, 0.68],
    ["second", 0.58, 0.76],
  ] as const) {
    const found = await figuresOf(set);
    expect({ set, first: found.first / found.asked >= first, among: found.among / found.asked >= among }).toEqual({
      ...{ set, first: true, among: true },
    });
  }
});

it("has wordings of operations that there are, once each, in small letters", async () => {
  const there = (await services()).flatMap((service) => called([...published(service)])!);
  expect([...wordings().keys()].filter((operation) => !there.includes(operation))).toEqual([]);
  for (const phrases of wordings().values()) {
    expect(new Set(phrases).size).toBe(phrases.length);
    for (const phrase of phrases) expect(phrase).toBe(phrase.trim().toLowerCase());
  }
});

it("finds an operation, and tells nothing of what no operation has a word of", async () => {
  const all = await services();
  expect(called(await operationsFor("How do I get a colleague into my workspace?", all))![0]).toBe(
    "POST /api/problem-sets/:id/invite",
  );
  expect(await operationsNear("Qzxv vbbrt kjjhg", all)).toEqual([]);
  expect(await operationsFor("How do I qzxv the vbbrt?", all)).toEqual([]);
});

it("knows a question about how from one about facts, and a request from both", async () => {
  for (const how of [
    "How do I stop a feed?",
    "how to stop a feed",
    "Is there a way to undo a merge?",
    "We want a closed circle for four people. How's it set up?",
    "Which call gives me the votes?",
    "Where can I look up who changed it?",
    "I'd like to hear of changes, how?",
  ])
    expect({ how, asks: asksHow(how) }).toEqual({ how, asks: true });
  for (const fact of ["How many boats are there?", "Where is the convoy?", "How long does diesel last?", "Who leads?"])
    expect({ fact, asks: asksHow(fact) }).toEqual({ fact, asks: false });
  const all = await services();
  expect(called(await operationsOrdered("Please delete the sensor at the mill", all))![0]).toBe(
    "DELETE /api/sensors/:id",
  );
  expect(await operationsOrdered("Where is the sensor at the mill?", all)).toBeUndefined();
});
