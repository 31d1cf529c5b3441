import { published, type PublishedEndpoint } from "../core/contract/catalogue.ts";
import { allServices } from "../services/index.ts";

/** Every endpoint of the code; what holds for all of them is tested over this. */
export async function routes(): Promise<PublishedEndpoint[]> {
  return (await allServices()).flatMap(({ service }) => [...published(service)]);
}

/** A path with its parameters filled in. */
export const filled = (path: string, value = "1"): string => path.replace(/:(\w+)/g, value);
