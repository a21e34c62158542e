import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * What becomes of one command on its way; `cut` drops the connection before the server, or its answer, is heard;
 * `misspell` has the server find no such command.
 */
export type Treatment = 'pass' | 'swallow' | 'cut_before' | 'cut_after' | 'misspell';

/** Commands by which the driver watches its server; no work of ours. */
const WATCHING = new Set(['hello', 'ismaster', 'isMaster', 'ping', 'endSessions', 'buildInfo']);

const HEADER = 16;
/** Behind the header: 4 bytes of flags, 1 of the kind of section, 4 of the document's length, 1 of a type. */
const NAME_AT = HEADER + 10;

/** Stands between a service and its MongoDB, and lets chosen commands come to nothing. */
export class MongoProxy {
  private readonly connections = new Set<Socket>();
  private treat: (command: string) => Treatment = () => 'pass';
  private open = true;
  /** Connections that are open now. */
  get connected(): number {
    return this.connections.size;
  }

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
  ) {
    server.on('connection', (socket) => this.accept(socket));
  }

  /** A proxy in front of the MongoDB that a connection string names. */
  static async start(target: string): Promise<MongoProxy> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new MongoProxy(server, new URL(target));
  }

  /** The connection string by which a database is reached through the proxy, and only so. */
  uri(database: string): string {
    const url = new URL(this.target);
    const { port } = this.server.address() as AddressInfo;
    url.host = `127.0.0.1:${String(port)}`;
    url.pathname = `/${database}`;
    // The driver would otherwise go on to the address by which the server calls itself.
    url.searchParams.delete('replicaSet');
    url.searchParams.set('directConnection', 'true');
    return url.href;
  }

  /** From now on each command is treated as this says; the driver's watching is swallowed with `everything`. */
  treats(treat: (command: string) => Treatment): void {
    this.treat = (command) => (WATCHING.has(command) ? 'pass' : treat(command));
  }

  /** Takes every command and never answers. */
  swallowsEverything(): void {
    this.treat = () => 'swallow';
  }

  /** Drops all connections and takes no new ones. */
  goAway(): void {
    this.open = false;
    for (const socket of this.connections) socket.destroy();
  }

  /** All is well again. Connections on which an answer got lost stay as they are. */
  comeBack(): void {
    this.open = true;
    this.treat = () => 'pass';
  }

  async stop(): Promise<void> {
    this.goAway();
    this.server.close();
    await once(this.server, 'close');
  }

  private accept(client: Socket): void {
    if (!this.open) {
      client.destroy();
      return;
    }
    const server = connect(Number(this.target.port), this.target.hostname);
    const close = (): void => {
      this.connections.delete(client);
      client.destroy();
      server.destroy();
    };
    this.connections.add(client);
    for (const socket of [client, server]) socket.on('error', close).on('close', close);
    const lost = new Map<number, 'swallow' | 'cut_after'>();
    onMessage(client, (message) => {
      const treatment = this.treat(commandIn(message));
      if (treatment === 'cut_before') {
        close();
        return;
      }
      if (treatment === 'misspell') message.write('?', NAME_AT);
      else if (treatment !== 'pass') lost.set(message.readInt32LE(4), treatment);
      server.write(message);
    });
    onMessage(server, (message) => {
      const treatment = lost.get(message.readInt32LE(8));
      if (treatment === undefined) client.write(message);
      else if (treatment === 'cut_after') close();
    });
  }
}

/** Calls back with each whole message of MongoDB's wire protocol. */
function onMessage(socket: Socket, listener: (message: Buffer) => void): void {
  let kept = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    kept = Buffer.concat([kept, chunk]);
    while (kept.length >= HEADER && kept.length >= kept.readInt32LE(0)) {
      const length = kept.readInt32LE(0);
      listener(kept.subarray(0, length));
      kept = kept.subarray(length);
    }
  });
}

/** The name of a command is that of the first field of its document. */
function commandIn(message: Buffer): string {
  const isCommand = message.readInt32LE(12) === 2013;
  return isCommand ? message.toString('utf8', NAME_AT, message.indexOf(0, NAME_AT)) : 'hello';
}
