import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import type { UseQueryResult } from "@tanstack/react-query";
import { Refusal, type Answer } from "../../../api/client.ts";
import { useAnswer } from "../../../api/hooks.ts";
import { Form, Select } from "../../../parts/form.tsx";
import { Section, Shown } from "../../../parts/page.tsx";
import { many } from "../../../parts/texts.tsx";
import { inPlace, type PicturePlace } from "../../place.tsx";
import { evidenceWords, linkKey, nodeName, type NetworkSeen } from "./network-words.ts";

type Way = UseQueryResult<Answer<"GET /discovery/topology/path/{from}/{to}">>;

/** The cheapest way between the two that the address names. */
export function useWay(place: PicturePlace): { from: string; to: string; way: Way } {
  const [search] = useSearchParams();
  const [from, to] = [search.get("from") ?? "", search.get("to") ?? ""];
  const way = useAnswer("GET /discovery/topology/path/{from}/{to}", [{ path: { from, to }, query: inPlace(place) }], {
    enabled: from !== "" && to !== "",
  });
  return { from, to, way };
}

/** From which to which one looks for a way, and the way. */
export function WaySection({
  seen,
  from,
  to,
  way,
}: {
  seen: NetworkSeen;
  from: string;
  to: string;
  way: Way;
}): ReactNode {
  const [search, setSearch] = useSearchParams();
  const nodes = seen.graph.nodes
    .map((node): [string, string] => [node.id, nodeName(node)])
    .sort(([, one], [, other]) => one.localeCompare(other));
  return (
    <Section title="The way from one to another">
      <Form
        key={`${from} ${to}`}
        act="Show the way"
        isInline
        label="Find a way"
        onSubmit={(fields) => setSearch({ ...fields, set: search.get("set") ?? "" })}
      >
        <Select label="From" name="from" defaultValue={from} options={[["", "choose one"], ...nodes]} />
        <Select label="To" name="to" defaultValue={to} options={[["", "choose one"], ...nodes]} />
      </Form>
      {from && to && <WayShown seen={seen} from={from} to={to} way={way} />}
    </Section>
  );
}

function WayShown({ seen, from, to, way }: { seen: NetworkSeen; from: string; to: string; way: Way }): ReactNode {
  const { nameOf } = seen;
  if (way.error instanceof Refusal && way.error.status === 404)
    return (
      <p className="empty">
        No link that was seen leads from {nameOf(from)} to {nameOf(to)}.
      </p>
    );
  return (
    <Shown of={way}>
      {({ data: { nodes, edges, length, cost } }) => (
        <>
          <p>
            {length === 0
              ? "That is the same one."
              : `${many(length, "step")}, at a cost of ${cost.toLocaleString("en")} in all.`}
          </p>
          <ol className="way" aria-label="The way">
            {nodes.map((id, at) => (
              <li key={id}>
                {nameOf(id)}
                {at > 0 && (
                  <small className="muted">
                    {" "}
                    {evidenceWords(
                      edges.find((edge) => linkKey(edge) === linkKey({ from: nodes[at - 1]!, to: id }))?.evidence ?? [],
                    )}
                  </small>
                )}
              </li>
            ))}
          </ol>
        </>
      )}
    </Shown>
  );
}
