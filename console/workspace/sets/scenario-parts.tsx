import type { ReactNode } from "react";
import type { Data } from "../../api/client.ts";
import { Section } from "../../parts/page.tsx";

type Package = Data<"GET /problem-sets/scenarios/{scenarioId}">;

interface Line {
  name: string;
  words?: string | undefined;
}

/** What a package brings, part by part; parts that it has not are not named. */
export function WhatIsInside({ set, compartments, positions, directions, missions, gates, units }: Package): ReactNode {
  return (
    <>
      {set.description && (
        <Section title="What it is about">
          <p>{set.description}</p>
        </Section>
      )}
      <div className="columns">
        <Part
          title="Directions"
          lines={directions?.map(({ title, text, kind }) => ({ name: title, words: `${kind}: ${text}` }))}
        />
        <Part title="Missions" lines={missions?.map(({ name, objective }) => ({ name, words: objective }))} />
        <Part title="Gates" lines={gates?.map(({ name, description }) => ({ name, words: description }))} />
        <Part
          title="Compartments"
          lines={compartments?.map(({ name, description }) => ({ name, words: description }))}
        />
        <Part
          title="Staff positions"
          lines={positions?.map(({ title, abbreviation }) => ({ name: title, words: abbreviation }))}
        />
        <Part title="Units" lines={units?.map(({ name, kind }) => ({ name, words: kind }))} />
      </div>
    </>
  );
}

function Part({ title, lines }: { title: string; lines: readonly Line[] | undefined }): ReactNode {
  if (!lines?.length) return null;
  return (
    <Section title={title}>
      <ul className="list">
        {lines.map(({ name, words }) => (
          <li key={name}>
            {name}
            {words && <p className="muted">{words}</p>}
          </li>
        ))}
      </ul>
    </Section>
  );
}
