import { asSystem } from "../../../../core/access/caller.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { derivedId } from "../../../../core/ids.ts";
import { featureRecord, type WantedFeature } from "../generation/features.ts";
import { featureIdOf, generated } from "../generation/sources.ts";
import { trackPast } from "../generation/tracks.ts";
import { Layer, LayerSpec, LayerVersion, stateAt, WATCHED_STATES } from "../layers/layers.ts";
import { LiveSpec } from "../layers/specs.ts";
import { inPicture } from "../pictures.ts";
import { placedReport, type Report } from "./reports.ts";

const mesh = asSystem("cop");
/** Written side by side. */
const TOGETHER = 50;

/** The specs of layers as they were, each read once. */
class Specs {
  readonly #host: Host;
  readonly #read = new Map<string, Promise<LiveSpec>>();
  constructor(host: Host) {
    this.#host = host;
  }

  /** What a layer was to show at a moment; null where that was no reports. */
  async at(layer: Layer, at: string): Promise<LiveSpec | null> {
    if (!WATCHED_STATES.includes(stateAt(layer, at))) return null;
    const id = await this.#idAt(layer, at);
    if (id === undefined) return null;
    const read = this.#read.get(id) ?? this.#spec(id);
    this.#read.set(id, read);
    const spec = await read;
    return spec.source === "reports" ? spec : null;
  }

  async #spec(id: string): Promise<LiveSpec> {
    return LiveSpec.parse((await this.#host.store(LayerSpec).get(mesh, id)).spec);
  }

  async #idAt(layer: Layer, at: string): Promise<string | undefined> {
    if (layer.specAt !== undefined && layer.specAt <= at) return derivedId(`spec of layer ${layer.id}: ${layer.hash}`);
    const [version] = await this.#host
      .store(LayerVersion)
      .find(mesh, { layerId: layer.id, at: { $lte: at } }, { sort: ["-version"], limit: 1 });
    return version?.specId;
  }
}

/** A report, or the word that one is gone, which came after one made later; and until when at most it counts. */
export interface Late {
  report: Report;
  until: string;
}

/** What a layer showed of a report; of what was gone its name alone, whatever it was before. Undefined for nothing. */
function shownOf(report: Report, spec: LiveSpec): WantedFeature | undefined {
  if (!report.gone) return generated("reports", placedReport(report), spec)[0];
  const { id, compartments } = report;
  return { compartments, feature: { type: "Feature", id: featureIdOf("reports", id), geometry: null, properties: {} } };
}

/**
 * Gives reports that came late their place in the tracks of the layers that showed their picture's reports then. The
 * present moves by none of them.
 */
export async function backdate(host: Host, picture: string, late: readonly Late[]): Promise<void> {
  if (!late.length) return;
  const layers = await host.store(Layer).find(mesh, { ...inPicture(picture), source: "reports" });
  const specs = new Specs(host);
  const all = layers.flatMap((layer) => late.map((one) => ({ layer, ...one })));
  for (let from = 0; from < all.length; from += TOGETHER)
    await Promise.all(
      all.slice(from, from + TOGETHER).map(async ({ layer, report, until }) => {
        const spec = await specs.at(layer, report.at);
        const shown = spec && shownOf(report, spec);
        if (shown) await trackPast(host, featureRecord(layer, shown), { from: report.at, until, gone: report.gone });
      }),
    );
}
