import "./network.css";
import { useMemo, useState, type ReactNode } from "react";
import { Link } from "react-router";
import { useAnswer } from "../../../api/hooks.ts";
import { BarrierOf } from "../../../app/compartments.tsx";
import { Section, Shown } from "../../../parts/page.tsx";
import { Table, type Column } from "../../../parts/table.tsx";
import { Badge, many, Share, Time } from "../../../parts/texts.tsx";
import { inPlace, placeQuery, type PicturePlace } from "../../place.tsx";
import { deviceAddress, DiscoveryFrame, useDevicesLive } from "../area.tsx";
import { NetworkDrawing } from "./drawing.tsx";
import { LinkDialog, type LinkAsked } from "./link-dialog.tsx";
import { evidenceWords, linkKey, seenIn, type NetworkLink, type NetworkNode, type Topology } from "./network-words.ts";
import { useWay, WaySection } from "./way.tsx";

/** Which device is reached by which, and the way from one to another. */
export const Network = (): ReactNode => (
  <DiscoveryFrame
    title="Network"
    intro="Which device is linked to which, as collectors, the scanner and people say, and the way from one to another."
  >
    {(place) => <NetworkOf place={place} />}
  </DiscoveryFrame>
);

function NetworkOf({ place }: { place: PicturePlace }): ReactNode {
  const graph = useAnswer("GET /discovery/topology", [{ query: inPlace(place) }]);
  useDevicesLive(place);
  return (
    <Shown of={graph}>
      {({ data }) =>
        data.nodes.length ? (
          <Seen graph={data} place={place} />
        ) : (
          <p className="empty">
            No device was seen, so there is no network to show.{" "}
            <Link to={`/picture/discovery${placeQuery(place)}`}>Devices</Link> says how they come here.
          </p>
        )
      }
    </Shown>
  );
}

function Seen({ graph, place }: { graph: Topology; place: PicturePlace }): ReactNode {
  const seen = useMemo(() => seenIn(graph), [graph]);
  const { from, to, way } = useWay(place);
  const [entering, setEntering] = useState<LinkAsked | "new">();
  const mayDecide = place.may("discovery:decide");
  const steps = way.data?.data.nodes;
  const shown = from && !to ? graph.edges.filter((edge) => edge.from === from || edge.to === from) : graph.edges;
  const atNode = (id: string): string =>
    `/picture/discovery/network${placeQuery(place)}&from=${encodeURIComponent(id)}`;
  const addressOf = ({ id, kind }: NetworkNode): string => (kind === "device" ? deviceAddress(id, place) : atNode(id));
  const inOrder = (link: NetworkLink): NetworkLink =>
    seen.nameOf(link.from).localeCompare(seen.nameOf(link.to)) > 0 ? { ...link, from: link.to, to: link.from } : link;
  const rows = shown
    .map(inOrder)
    .toSorted((one, other) => seen.nameOf(one.from).localeCompare(seen.nameOf(other.from)));
  const columns = columnsOf(seen.byId, (node) => (
    <>
      <Link to={addressOf(node)}>{seen.nameOf(node.id)}</Link>{" "}
      <BarrierOf {...inPlace(place)} compartments={node.compartments ?? []} />
    </>
  ));
  return (
    <>
      <Figures place={place} />
      <NetworkDrawing graph={graph} addressOf={addressOf} {...(steps && { way: steps })} />
      {graph.more && <p className="muted">There is more than is shown: what was seen last is.</p>}
      <WaySection {...{ seen, from, to, way }} />
      <Section
        title={from && !to ? `Links of ${seen.nameOf(from)}` : "Links"}
        acts={
          <>
            {from && !to && <Link to={`/picture/discovery/network${placeQuery(place)}`}>Show all links</Link>}
            {mayDecide && graph.nodes.length > 1 && (
              <button type="button" onClick={() => setEntering("new")}>
                Enter a link
              </button>
            )}
          </>
        }
      >
        <Table
          label="Links"
          rows={rows}
          keyOf={linkKey}
          columns={mayDecide ? [...columns, denyColumn(seen.nameOf, setEntering)] : columns}
          empty="No link was seen. Collectors report them; who decides here enters them by hand."
        />
      </Section>
      {entering && (
        <LinkDialog
          {...{ seen, place }}
          {...(entering !== "new" && { about: entering })}
          onClose={() => setEntering(undefined)}
        />
      )}
    </>
  );
}

function columnsOf(
  byId: ReadonlyMap<string, NetworkNode>,
  linkTo: (node: NetworkNode) => ReactNode,
): readonly Column<NetworkLink>[] {
  const end = (id: string): ReactNode => {
    const node = byId.get(id);
    return node && linkTo(node);
  };
  return [
    {
      head: "Between",
      cell: ({ from, to }) => (
        <>
          {end(from)} and {end(to)}
        </>
      ),
    },
    {
      head: "Known by",
      cell: ({ evidence, isOneSided }) => (
        <>
          {evidenceWords(evidence)} {isOneSided && <Badge tone="warn">one end alone</Badge>}
        </>
      ),
    },
    { head: "How sure", cell: ({ confidence }) => <Share of={confidence} label="How sure the link is" /> },
    { head: "Cost", isFigure: true, cell: ({ cost }) => cost.toLocaleString("en") },
    { head: "Last told", cell: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
  ];
}

const denyColumn = (nameOf: (id: string) => string, ask: (link: LinkAsked) => void): Column<NetworkLink> => ({
  head: "Acts",
  isAct: true,
  cell: ({ from, to }) => (
    <button
      type="button"
      aria-label={`Correct the link between ${nameOf(from)} and ${nameOf(to)}`}
      onClick={() => ask({ from, to })}
    >
      Correct
    </button>
  ),
});

/** How much of it there is, and how it hangs together. */
function Figures({ place }: { place: PicturePlace }): ReactNode {
  const stats = useAnswer("GET /discovery/topology/stats", [{ query: inPlace(place) }]);
  return (
    <Shown of={stats}>
      {({ data: { nodes, edges, isolated, components, largestComponent, oneSided, manual } }) => (
        <p>
          {many(nodes, "node")} and {many(edges, "link")}
          {components > 1 && `, in ${many(components, "part")} that no link joins, the largest of ${largestComponent}`}
          {isolated > 0 && `; ${many(isolated, "node has", "nodes have")} no link`}
          {oneSided > 0 && `; ${many(oneSided, "link is", "links are")} told of by one end alone`}
          {manual > 0 && `; ${many(manual, "was", "were")} entered by hand`}.
        </p>
      )}
    </Shown>
  );
}
