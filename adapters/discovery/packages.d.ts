declare module "dns-packet" {
  interface Record {
    name: string;
    type: string;
    ttl?: number;
    data?: unknown;
  }
  interface Decoder {
    (bytes: Buffer, offset: number): Record;
    bytes: number;
  }
  const packet: {
    answer: { decode: Decoder };
    encode(message: object): Buffer;
    decode(bytes: Buffer): object;
  };
  export default packet;
}
