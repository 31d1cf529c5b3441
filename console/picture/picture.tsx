import "./picture.css";
import type { ReactNode } from "react";
import { Route, Routes } from "react-router";
import { NotFound } from "../app/shell.tsx";
import { Spectrum } from "./discovery/spectrum/spectrum.tsx";
import { Edge } from "./edge/edge.tsx";
import { Coverage } from "./watched-ground/coverage.tsx";
import { AccessList } from "./discovery/access-list.tsx";
import { DevicePage } from "./discovery/device-page.tsx";
import { Devices } from "./discovery/devices.tsx";
import { Network } from "./discovery/network/network.tsx";
import { Scanning } from "./discovery/scanning/scanning.tsx";
import { LayerPage } from "./layers/layer-page.tsx";
import { VersionPage } from "./layers/version-page.tsx";
import { MapPage } from "./map/map-page.tsx";
import { Personnel } from "./personnel/personnel.tsx";
import { SeriesHistory } from "./readings/history.tsx";
import { FindResources } from "./registry/find.tsx";
import { Reports } from "./reports/reports.tsx";
import { GroupPage } from "./resources/groups/group.tsx";
import { Groups } from "./resources/groups/groups.tsx";
import { ImportPage } from "./resources/import/import.tsx";
import { ResourcePage } from "./resources/resource-page.tsx";
import { Resources } from "./resources/resources.tsx";
import { Supplies } from "./resources/supplies/supplies.tsx";
import { SensorPage } from "./sensors/sensor-page.tsx";
import { Sensors } from "./sensors/sensors.tsx";
import { Upkeep } from "./upkeep/upkeep.tsx";

export default function Picture(): ReactNode {
  return (
    <Routes>
      <Route index element={<MapPage />} />
      <Route path="layers/:id" element={<LayerPage />} />
      <Route path="layers/:id/versions/:version" element={<VersionPage />} />
      <Route path="reports" element={<Reports />} />
      <Route path="upkeep" element={<Upkeep />} />
      <Route path="resources" element={<Resources />} />
      <Route path="resources/find" element={<FindResources />} />
      <Route path="resources/supplies" element={<Supplies />} />
      <Route path="resources/groups" element={<Groups />} />
      <Route path="resources/groups/:groupId" element={<GroupPage />} />
      <Route path="resources/import" element={<ImportPage />} />
      <Route path="resources/:id" element={<ResourcePage />} />
      <Route path="resources/:id/readings/:key" element={<SeriesHistory />} />
      <Route path="sensors" element={<Sensors />} />
      <Route path="sensors/coverage" element={<Coverage />} />
      <Route path="sensors/:id" element={<SensorPage />} />
      <Route path="personnel" element={<Personnel />} />
      <Route path="discovery" element={<Devices />} />
      <Route path="discovery/devices/:id" element={<DevicePage />} />
      <Route path="discovery/access-list" element={<AccessList />} />
      <Route path="discovery/network" element={<Network />} />
      <Route path="discovery/scanning" element={<Scanning />} />
      <Route path="discovery/spectrum" element={<Spectrum />} />
      <Route path="edge" element={<Edge />} />
      <Route path="*" element={<NotFound />} />
    </Routes>
  );
}
