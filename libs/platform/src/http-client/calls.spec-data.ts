import type { Socket } from 'node:net';

import { GuardedHttpClient, type HttpClientOptions } from './guarded-http-client.js';
import { RawServer } from './raw-server.spec-data.js';
import type { SendResult } from './send-result.js';

export const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

const closing: (() => Promise<void>)[] = [];

/** Closes what a test opened; called after each. */
export async function closeAll(): Promise<void> {
  for (const close of closing.splice(0)) await close();
}

export function atTheEnd(close: () => Promise<void>): void {
  closing.push(close);
}

/** A client with short deadlines that may call this machine. */
export function client(options: Partial<HttpClientOptions> = {}): GuardedHttpClient {
  const http = new GuardedHttpClient({ allowPrivate: true, totalMs: 800, connectMs: 300, ...options });
  atTheEnd(() => http.close());
  return http;
}

export async function server(
  answer: (socket: Socket, request: string, count: number) => void,
): Promise<RawServer> {
  const raw = await RawServer.start(answer);
  atTheEnd(() => raw.stop());
  return raw;
}

export function post(
  http: GuardedHttpClient,
  url: string,
  headers: Record<string, string> = {},
): Promise<SendResult> {
  return http.post(url, { headers, body: Buffer.from('{"a":1}') });
}

export function statusOf(result: SendResult): number | string {
  return result.kind === 'answered' ? result.status : result.reason;
}
