import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SandboxConfig } from './config.js';
import { createApp } from './http/app.js';
import { Ledger } from './ledger/ledger.js';
import { Clockwork } from './notices/clockwork.js';
import { Notices } from './notices/notices.js';
import { matches } from './resources/events.js';

/** By default the sandbox lives in memory, on a free port, and sends no notices. */
export interface SandboxOptions extends Partial<Omit<SandboxConfig, 'directory'>> {
  /** Folder of the journal, one sandbox at a time; null or absent: in memory. */
  readonly directory?: string | null;
  /** The present in milliseconds. */
  readonly now?: () => number;
}

export interface Sandbox {
  /** Such as http://127.0.0.1:3003, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/** Starts a sandbox in this process. Rejects when its port is taken or its journal cannot be read. */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { host = '127.0.0.1', directory = null, now = Date.now, notices: to } = options;
  const server = createServer({ keepAliveTimeout: 75_000 });
  // The port is taken first: a second sandbox on the same folder fails here, before it touches the journal.
  await once(server.listen(options.port ?? 0, host), 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${String(port)}`;
  const ledger = new Ledger(url, (type) => matches(to?.types ?? [], type));
  if (directory !== null) await ledger.open(directory, now());
  const { settleAfterMs = 3_000, latencyMs = 0, merchant = 'Sandbox merchant' } = options;
  const clockwork = new Clockwork(ledger, now);
  const notices = to && new Notices(ledger, { ...to, now });
  ledger.onCommit = (changes) => {
    clockwork.take(changes);
    notices?.take(changes);
  };
  server.on('request', createApp({ ledger, now, settleAfterMs, latencyMs, merchant }));
  return {
    url,
    port,
    close: async () => {
      clockwork.close();
      await Promise.all([stop(server), notices?.close()]);
      ledger.close();
    },
  };
}

/** Lets requests finish for a moment; those that hang on purpose are cut off. */
function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const cutOff = setTimeout(() => server.closeAllConnections(), 300);
    server.close(() => {
      clearTimeout(cutOff);
      resolve();
    });
    server.closeIdleConnections();
  });
}
