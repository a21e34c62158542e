import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { addressOf } from '../requests/address-of.js';

/** The bounds of a server's connections. */
export interface ConnectionLimits {
  readonly total: number;
  /** Of `total`, the share of one address. */
  readonly perAddress: number;
  /** How long a connection stays open that has brought no accepted request yet. */
  readonly newMs: number;
  /** How long a connection stays open after the reply to its last accepted request. */
  readonly idleMs: number;
}

/** The collaborators of the limiter. */
interface Surroundings {
  /** Whether this address is a proxy's, whose connections carry the requests of many callers. */
  readonly isProxy: (address: string) => boolean;
  readonly onRefused: (address: string) => void;
}

interface Connection {
  readonly socket: Socket;
  readonly address: string;
  readonly isProxied: boolean;
  /** Requests whose replies are not complete. */
  running: number;
  hasServed: boolean;
  silentSince: number;
}

const CHECK_MS = 1000;
const TOO_MANY_REQUESTS = 429;

/**
 * Shares the connections of a server among addresses. Without room, the longest silent connection of the address with
 * the most of them is closed; where none is silent, the new one is.
 */
export class ConnectionLimiter {
  private readonly open = new Map<Socket, Connection>();
  private readonly countOf = new Map<string, number>();

  constructor(
    private readonly limits: ConnectionLimits,
    private readonly surroundings: Surroundings,
  ) {}

  guard(server: Server): void {
    server.on('connection', (socket) => this.admit(socket));
    server.prependListener('request', (request, response) => this.track(request, response));
    const timer = setInterval(() => this.closeExpired(), CHECK_MS).unref();
    server.once('close', () => {
      clearInterval(timer);
    });
  }

  private admit(socket: Socket): void {
    const remote = socket.remoteAddress ?? 'unknown';
    const address = addressOf({ ip: remote });
    const isProxied = this.surroundings.isProxy(remote);
    if (!this.makeRoom(address, isProxied)) {
      socket.destroy();
      this.surroundings.onRefused(address);
      return;
    }
    const silentSince = performance.now();
    this.open.set(socket, { socket, address, isProxied, running: 0, hasServed: false, silentSince });
    this.countOf.set(address, this.count(address) + 1);
    socket.once('close', () => this.forget(socket));
  }

  /** Whether there is room for one more connection, if need be after one was closed. */
  private makeRoom(address: string, isProxied: boolean): boolean {
    const { total, perAddress } = this.limits;
    if (!isProxied && this.count(address) >= perAddress) {
      return this.closeSilent((one) => one.address === address);
    }
    return this.open.size < total || this.closeSilent(() => true);
  }

  private closeSilent(isMeant: (connection: Connection) => boolean): boolean {
    let chosen: Connection | null = null;
    for (const one of this.open.values()) {
      if (one.running > 0 || !isMeant(one)) continue;
      if (chosen === null || this.goesBefore(one, chosen)) chosen = one;
    }
    if (chosen === null) return false;
    this.close(chosen);
    return true;
  }

  private goesBefore(one: Connection, other: Connection): boolean {
    if (one.isProxied !== other.isProxied) return other.isProxied;
    const more = this.count(one.address) - this.count(other.address);
    return more === 0 ? one.silentSince < other.silentSince : more > 0;
  }

  private track({ socket }: IncomingMessage, response: ServerResponse): void {
    const connection = this.open.get(socket);
    if (connection === undefined) return;
    connection.running += 1;
    response.once('close', () => {
      connection.running -= 1;
      // A refused request must not keep the connection of its sender open.
      if (response.statusCode !== TOO_MANY_REQUESTS) {
        connection.hasServed = true;
        connection.silentSince = performance.now();
      } else if (this.isExpired(connection)) {
        this.forget(socket);
        socket.end();
      }
    });
  }

  private closeExpired(): void {
    for (const one of this.open.values()) if (this.isExpired(one)) this.close(one);
  }

  private isExpired({ running, hasServed, silentSince }: Connection): boolean {
    const { newMs, idleMs } = this.limits;
    return running === 0 && performance.now() - silentSince > (hasServed ? idleMs : newMs);
  }

  private close({ socket }: Connection): void {
    this.forget(socket);
    socket.destroy();
  }

  private forget(socket: Socket): void {
    const connection = this.open.get(socket);
    if (connection === undefined) return;
    this.open.delete(socket);
    const left = this.count(connection.address) - 1;
    if (left === 0) this.countOf.delete(connection.address);
    else this.countOf.set(connection.address, left);
  }

  private count(address: string): number {
    return this.countOf.get(address) ?? 0;
  }
}
