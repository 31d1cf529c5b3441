/** What a browser tells of a device that its person picked; browsers without these ways have neither. */
interface Picking {
  usb?: {
    requestDevice(what: { filters: object[] }): Promise<{
      manufacturerName?: string | null;
      productName?: string | null;
      serialNumber?: string | null;
    }>;
  };
  bluetooth?: { requestDevice(what: { acceptAllDevices: true }): Promise<{ name?: string | null }> };
}

/** What of a device is filled in for its person. */
export interface PickedDevice {
  name?: string;
  manufacturer?: string;
  model?: string;
  serial?: string;
  offers?: string;
}
export interface DevicePicker {
  words: string;
  pick(): Promise<PickedDevice>;
}

const said = (fields: Record<string, string | null | undefined>): PickedDevice =>
  Object.fromEntries(Object.entries(fields).filter(([, text]) => text));

/** By which ways this browser lets its person pick a device near it. */
export function devicePickers(from: object = navigator): DevicePicker[] {
  const { usb, bluetooth } = from as Picking;
  return [
    ...(usb
      ? [
          {
            words: "Pick one at USB",
            async pick() {
              const one = await usb.requestDevice({ filters: [] });
              return said({
                name: one.productName,
                manufacturer: one.manufacturerName,
                model: one.productName,
                serial: one.serialNumber,
                offers: "usb",
              });
            },
          },
        ]
      : []),
    ...(bluetooth
      ? [
          {
            words: "Pick one at Bluetooth",
            async pick() {
              const { name } = await bluetooth.requestDevice({ acceptAllDevices: true });
              return said({ name, offers: "bluetooth" });
            },
          },
        ]
      : []),
  ];
}
