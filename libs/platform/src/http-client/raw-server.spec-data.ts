import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** A server that answers with raw bytes, for replies that no HTTP library would write. */
export class RawServer {
  connections = 0;
  requests = 0;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  /** `answer` is called once per request, when its headers and body have come. */
  static async start(answer: (socket: Socket, request: string, count: number) => void): Promise<RawServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const raw = new RawServer(server, (server.address() as AddressInfo).port);
    server.on('connection', (socket) => {
      raw.connections += 1;
      raw.sockets.add(socket);
      socket.on('error', () => undefined);
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1');
        const head = text.indexOf('\r\n\r\n');
        const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
        if (head < 0 || text.length < head + 4 + length) return;
        const request = text;
        text = '';
        raw.requests += 1;
        answer(socket, request, raw.requests);
      });
    });
    return raw;
  }

  get url(): string {
    return `http://127.0.0.1:${String(this.port)}/hook`;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
