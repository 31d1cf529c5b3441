import { useState, type ReactNode } from "react";
import { many } from "../../parts/texts.tsx";
import { inBrief, nameOf, type MapFeature } from "./feature-words.ts";

const MOST_LISTED = 100;

/** All that the map shows, in words: by layer, found by name; choosing one shows it on the map. */
export function FeatureList({
  features,
  selected,
  onSelect,
}: {
  features: readonly MapFeature[];
  selected: string | undefined;
  onSelect(key: string): void;
}): ReactNode {
  const [sought, setSought] = useState("");
  const found = features.filter((one) => `${nameOf(one)} ${one.layer}`.toLowerCase().includes(sought.toLowerCase()));
  const listed = found.slice(0, MOST_LISTED);
  const layers = [...new Set(listed.map(({ layer }) => layer))];
  return (
    <>
      {features.length > 8 && (
        <input
          type="search"
          aria-label="Find by name"
          placeholder="Find by name"
          value={sought}
          onChange={({ target }) => setSought(target.value)}
        />
      )}
      {!found.length && (
        <p className="empty">{features.length ? "No name fits." : "The layers that are turned on show nothing."}</p>
      )}
      <div className="feature-list">
        {layers.map((layer) => (
          <section key={layer} aria-label={layer}>
            <h3>{layer}</h3>
            <ul>
              {listed
                .filter((one) => one.layer === layer)
                .map((one) => (
                  <li key={one.key}>
                    <button
                      type="button"
                      className="feature"
                      aria-pressed={one.key === selected}
                      onClick={() => onSelect(one.key)}
                    >
                      <span>
                        {nameOf(one)}
                        {one.feature.staleness.state === "stale" && <strong className="badge warn">stale</strong>}
                      </span>
                      <small className="muted">{inBrief(one)}</small>
                    </button>
                  </li>
                ))}
            </ul>
          </section>
        ))}
      </div>
      {found.length > MOST_LISTED && (
        <p className="muted">{many(found.length - MOST_LISTED, "more feature")}: find them by name.</p>
      )}
    </>
  );
}
