import type { ReactNode } from "react";
import { Field, type FormFields } from "../parts/form.tsx";

interface PlaceOnEarth {
  latitude: number;
  longitude: number;
}

/** Where something is, typed in degrees. */
export const LocationFields = ({ location }: { location?: PlaceOnEarth }): ReactNode => (
  <div className="two">
    <Field
      label="Latitude"
      name="latitude"
      type="number"
      step="any"
      min={-90}
      max={90}
      hint="Degrees, north is positive."
      defaultValue={location?.latitude ?? ""}
    />
    <Field
      label="Longitude"
      name="longitude"
      type="number"
      step="any"
      min={-180}
      max={180}
      hint="Degrees, east is positive."
      defaultValue={location?.longitude ?? ""}
    />
  </div>
);

/** The place that the fields say; undefined where they are empty. Throws in words where only one is filled. */
export function locationOf({ latitude, longitude }: FormFields): PlaceOnEarth | undefined {
  if (latitude === undefined && longitude === undefined) return undefined;
  if (latitude === undefined || longitude === undefined) throw new Error("A place needs a latitude and a longitude.");
  return { latitude: Number(latitude), longitude: Number(longitude) };
}
