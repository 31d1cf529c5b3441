/** Whether the platform runs on the machine in front of somebody: they may be the first to open it, and have its log. */
export const isOwnMachine = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
