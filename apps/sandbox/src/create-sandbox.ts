import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SandboxConfig } from './config.js';
import { createApp } from './http/app.js';
import { openLedger } from './ledger/open-ledger.js';
import { Clockwork } from './notices/clockwork.js';
import { Notices } from './notices/notices.js';

/** All of it may be left out: then the sandbox lives in memory, on a free port, and sends no notices. */
export interface SandboxOptions extends Partial<Omit<SandboxConfig, 'directory'>> {
  /** Folder of the journal, one sandbox at a time; null or absent: in memory. */
  readonly directory?: string | null;
  /** The present in milliseconds. */
  readonly now?: () => number;
  /** Size in bytes from which a grown journal is compacted at the start. */
  readonly compactAbove?: number;
}

export interface Sandbox {
  /** Such as http://127.0.0.1:3003, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/** Starts a sandbox in this process. Rejects when its port is taken or its journal cannot be read. */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { host = '127.0.0.1', port = 0, now = Date.now, notices: to } = options;
  let url = '';
  const origin = () => url;
  const server = createServer({ keepAliveTimeout: 75_000 });
  // The port is taken first: a second sandbox on the same folder fails here, before it touches the journal.
  const { port: actual } = await listen(server, port, host);
  url = `http://${host.includes(':') ? `[${host}]` : host}:${actual}`;
  const opened = openLedger(options.directory ?? null, now(), options.compactAbove);
  const { ledger } = opened;
  if (to !== undefined) ledger.announces = announced(to.types);
  const settleAfterMs = options.settleAfterMs ?? 3_000;
  const app = createApp({
    ledger,
    now,
    origin,
    settleAfterMs,
    latencyMs: options.latencyMs ?? 0,
    merchant: options.merchant ?? 'Sandbox merchant',
  });
  const clockwork = new Clockwork(ledger, now);
  const notices = to && new Notices(ledger, { ...to, origin, now });
  ledger.onCommit((entry) => {
    clockwork.take(entry);
    notices?.take(entry);
  });
  server.on('request', app);
  return {
    url,
    port: actual,
    close: async () => {
      clockwork.close();
      await Promise.all([stop(server), notices?.close()]);
      opened.close();
    },
  };
}

function announced(types: readonly string[]): (type: string) => boolean {
  const known = new Map<string, boolean>();
  const matches = (type: string) =>
    types.some((each) => (each.endsWith('*') ? type.startsWith(each.slice(0, -1)) : type === each));
  return (type) => {
    const before = known.get(type);
    if (before !== undefined) return before;
    const now = matches(type);
    known.set(type, now);
    return now;
  };
}

function listen(server: Server, port: number, host: string): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve(server.address() as AddressInfo);
    });
  });
}

/** Lets requests that are under way finish for a moment; those that hang on purpose are cut off. */
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
