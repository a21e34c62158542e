import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * The treatment of a command on its way. `cut` closes the connection before the command, or before its reply, is
 * forwarded; `misspell` sends a command that the server does not know.
 */
export type Treatment = 'pass' | 'swallow' | 'cut_before' | 'cut_after' | 'misspell';

/** The driver's monitoring commands. */
const WATCHING = new Set(['hello', 'ismaster', 'isMaster', 'ping', 'endSessions', 'buildInfo']);

const HEADER = 16;
/** After the header: 4 bytes of flags, 1 of the kind of section, 4 of the document's length, 1 of a type. */
const NAME_AT = HEADER + 10;

/** A proxy between a service and its MongoDB, which makes chosen commands fail. */
export class MongoProxy {
  private readonly connections = new Set<Socket>();
  private treat: (command: string) => Treatment = () => 'pass';
  private open = true;
  private streams = true;
  /** The number of open connections. */
  get connected(): number {
    return this.connections.size;
  }

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
  ) {
    server.on('connection', (socket) => this.accept(socket));
  }

  /** Starts a proxy for the MongoDB in a connection string. */
  static async start(target: string): Promise<MongoProxy> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new MongoProxy(server, new URL(target));
  }

  /** The connection string that reaches a database through the proxy only. */
  uri(database: string): string {
    const url = new URL(this.target);
    const { port } = this.server.address() as AddressInfo;
    url.host = `127.0.0.1:${String(port)}`;
    url.pathname = `/${database}`;
    // The driver would otherwise switch to the address that the server reports.
    url.searchParams.delete('replicaSet');
    url.searchParams.set('directConnection', 'true');
    return url.href;
  }

  /** Treats each further command by this function; `everything` swallows the driver's monitoring too. */
  treats(treat: (command: string) => Treatment): void {
    this.treat = (command) => (WATCHING.has(command) ? 'pass' : treat(command));
  }

  /** Hides from now on that the server can tell its changes: the driver asks it every ten seconds, as DocumentDB. */
  tellsNoChanges(): void {
    this.streams = false;
  }

  /** Accepts every command and never replies. */
  swallowsEverything(): void {
    this.treat = () => 'swallow';
  }

  /** Closes all connections and accepts no new ones. */
  goAway(): void {
    this.open = false;
    for (const socket of this.connections) socket.destroy();
  }

  /** Ends all faults. Connections with a lost reply stay open. */
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
      const at = this.streams ? -1 : message.indexOf('topologyVersion');
      if (at !== -1) message.write('?', at);
      const treatment = lost.get(message.readInt32LE(8));
      if (treatment === undefined) client.write(message);
      else if (treatment === 'cut_after') close();
    });
  }
}

/** Calls back with each complete message of MongoDB's wire protocol. */
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

/** The name of a command, which is the first field of its document. */
function commandIn(message: Buffer): string {
  const isCommand = message.readInt32LE(12) === 2013;
  return isCommand ? message.toString('utf8', NAME_AT, message.indexOf(0, NAME_AT)) : 'hello';
}
