import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A running clock that can be pushed ahead, for both sides. */
export class PushedClock {
  ahead = 0;

  now(): Date {
    return new Date(Date.now() + this.ahead);
  }

  push(ms: number): void {
    this.ahead += ms;
  }
}

/** The connection to the sandbox, which can be cut. */
export class Line {
  private readonly open = new Set<Socket>();
  private isCut = false;
  /** The request lines of all requests, without the version of HTTP. */
  readonly requests: string[] = [];
  /** A key and the one that is sent in its place, of the same length: another account answers. */
  switched: readonly [string, string] | null = null;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {
    server.on('connection', (socket: Socket) =>
      this.open.add(socket.on('close', () => this.open.delete(socket))),
    );
  }

  static async to(port: number): Promise<Line> {
    const server = createServer((socket) => {
      if (line.isCut) return void socket.destroy();
      const on = connect(port, '127.0.0.1');
      socket.on('data', (bytes: Buffer) => {
        const first = /^([A-Z]+ \S+) HTTP/.exec(bytes.toString('latin1'))?.[1];
        if (first !== undefined) line.requests.push(first);
        const [from, to] = line.switched ?? ['', ''];
        on.write(Buffer.from(bytes.toString('latin1').replace(from, to), 'latin1'));
      });
      socket.on('end', () => on.end());
      on.on('error', () => socket.destroy());
      on.pipe(socket).on('error', () => on.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const line: Line = new Line(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return line;
  }

  cut(): void {
    this.isCut = true;
    for (const socket of this.open) socket.destroy();
  }

  mend(): void {
    this.isCut = false;
  }

  /** Stops listening: connections are refused. */
  async refuse(): Promise<void> {
    for (const socket of this.open) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Listens again at the same address. */
  async accept(): Promise<void> {
    await new Promise<void>((resolve) =>
      this.server.listen(Number(new URL(this.url).port), '127.0.0.1', resolve),
    );
  }

  close(): void {
    this.cut();
    this.server.close();
  }
}
