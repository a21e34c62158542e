import type { mongo } from 'mongoose';

/** Beyond the driver's own limits, as events may come late. */
const MARGIN_MS = 1000;

/** The part of the driver that begins its checks of a server anew. It is internal: where it is gone, nothing is done. */
interface Internals {
  readonly topology?: {
    readonly s: {
      readonly servers: ReadonlyMap<string, { readonly monitor?: { close(): void; connect(): void } | null }>;
    };
  };
}

/**
 * Begins a check of a server anew that does not end. The driver (7.9) waits forever where it writes to a socket that has
 * just been destroyed, and begins no check while one runs: the process would never find the server again.
 */
export function restartStuckChecks(client: mongo.MongoClient): void {
  const { connectTimeoutMS, heartbeatFrequencyMS } = client.options;
  const timers = new Map<string, NodeJS.Timeout>();
  const ended = ({ connectionId: address }: { readonly connectionId: string }): void => {
    clearTimeout(timers.get(address));
    timers.delete(address);
  };
  client.on('serverHeartbeatStarted', (check) => {
    ended(check);
    // To connect, to shake hands and, where the server replies to a change only, its longest silence.
    const longest = 2 * connectTimeoutMS + (check.awaited ? heartbeatFrequencyMS : 0) + MARGIN_MS;
    const restart = (): void => {
      const monitor = (client as Internals).topology?.s.servers.get(check.connectionId)?.monitor;
      monitor?.close();
      monitor?.connect();
    };
    timers.set(check.connectionId, setTimeout(restart, longest).unref());
  });
  client.on('serverHeartbeatSucceeded', ended);
  client.on('serverHeartbeatFailed', ended);
}
