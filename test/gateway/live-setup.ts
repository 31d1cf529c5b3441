import { io, type ManagerOptions, type Socket, type SocketOptions } from "socket.io-client";

/** A client of the live end, and everything it was told, in order. */
export interface Client {
  socket: Socket;
  told: { event: string; body: any }[];
  /** Bodies of the events of this name so far. */
  of(event: string): any[];
  subscribe(wanted: object): Promise<any>;
  unsubscribe(wanted: object): Promise<any>;
}

/** Connects; rejects with the server's refusal. */
export function connect(url: string, options: Partial<ManagerOptions & SocketOptions> = {}): Promise<Client> {
  const socket = io(`${url}/live`, { transports: ["websocket"], reconnection: false, forceNew: true, ...options });
  const told: Client["told"] = [];
  socket.onAny((event: string, body: unknown) => void told.push({ event, body }));
  socket.on("disconnect", (reason) => void told.push({ event: "disconnect", body: reason }));
  const client: Client = {
    socket,
    told,
    of: (event) => told.filter((one) => one.event === event).map(({ body }) => body),
    subscribe: (wanted) => socket.timeout(10_000).emitWithAck("subscribe", wanted),
    unsubscribe: (wanted) => socket.timeout(10_000).emitWithAck("unsubscribe", wanted),
  };
  return new Promise((resolve, reject) => {
    socket.once("live.ready", () => resolve(client));
    socket.once("connect_error", (error) => {
      socket.close();
      reject(error);
    });
  });
}
