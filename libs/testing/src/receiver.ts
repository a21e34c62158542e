import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request, with the exact bytes of its body. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly raw: Buffer;
  readonly at: number;
  // Untyped, because tests read it in many ways.
  readonly json: any;
}

/** Decides the answer to a delivery; the status, or null for no answer at all. */
export type Answer = (received: Received, count: number) => number | null | Promise<number | null>;

/** A real HTTP server in place of a merchant's endpoint. */
export class Receiver {
  readonly received: Received[] = [];
  private answer: Answer = () => 200;
  private readonly waiting = new Set<() => void>();

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  /** Listens on loopback, or on every address if callers are elsewhere and know this machine by a name. */
  static async start(name = '127.0.0.1'): Promise<Receiver> {
    const server = createServer();
    const address = name === '127.0.0.1' ? name : '0.0.0.0';
    await new Promise<void>((resolve) => server.listen(0, address, resolve));
    const { port } = server.address() as AddressInfo;
    const receiver = new Receiver(server, `http://${name}:${String(port)}`);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const raw = Buffer.concat(chunks);
        const json: unknown = raw.length > 0 ? JSON.parse(raw.toString()) : null;
        const one: Received = {
          path: request.url ?? '/',
          headers: request.headers,
          raw,
          json,
          at: Date.now(),
        };
        receiver.received.push(one);
        for (const look of receiver.waiting) look();
        Promise.resolve(receiver.answer(one, receiver.received.length)).then(
          (status) => {
            if (status !== null) response.writeHead(status).end('ok');
          },
          (error: unknown) => response.destroy(error as Error),
        );
      });
    });
    return receiver;
  }

  /** Sets the answer to deliveries from now on. */
  answers(answer: Answer | number): void {
    this.answer = typeof answer === 'number' ? () => answer : answer;
  }

  /** The deliveries of events, without the requests that only verify the endpoint. */
  get messages(): Received[] {
    return this.received.filter((one) => one.headers['x-service-webhook-type'] === 'WebhookMessage');
  }

  kinds(): string[] {
    return this.messages.map((one) => String(one.json.kind));
  }

  /** Waits until the condition holds; fails with the received requests. */
  async until(condition: (received: readonly Received[]) => boolean, timeoutMs = 15_000): Promise<void> {
    if (condition(this.received)) return;
    await new Promise<void>((resolve, reject) => {
      const done = (): void => {
        this.waiting.delete(look);
        clearTimeout(timer);
      };
      const look = (): void => {
        if (!condition(this.received)) return;
        done();
        resolve();
      };
      const timer = setTimeout(() => {
        done();
        reject(
          new Error(`the receiver waited in vain; it received: ${this.kinds().join(', ') || 'nothing'}`),
        );
      }, timeoutMs);
      this.waiting.add(look);
    });
  }

  async untilKinds(...kinds: string[]): Promise<void> {
    await this.until(() => kinds.every((kind) => this.kinds().includes(kind)));
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
