import type { Response } from 'express';
import type { WayWrong } from '../cards/outcomes.js';
import { SERVER_ERROR, TOO_MANY } from './server-error.js';

export interface Sent {
  readonly status: number;
  readonly body?: unknown;
  /** The body as JSON text, where it is one already. */
  readonly text?: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Nobody waits longer than this for an answer that never comes. */
const HANG_MS = 10 * 60_000;

/** Writes the answer past Express: its own way of sending would compute an ETag for every one of them. */
export function send(res: Response, { status, body, text, headers }: Sent): void {
  const payload = Buffer.from(text ?? JSON.stringify(body));
  res.writeHead(status, {
    'content-type': 'application/json',
    'content-length': payload.length,
    'cache-control': 'no-store',
    ...headers,
  });
  res.end(payload);
}

/** The answer does not arrive, or another one does. */
export function goWrong(res: Response, way: WayWrong, intended: Sent): void {
  const { headers } = intended;
  switch (way) {
    case 'hang': {
      const timer = setTimeout(() => res.destroy(), HANG_MS).unref();
      res.once('close', () => clearTimeout(timer));
      return;
    }
    case 'reset':
      res.socket?.resetAndDestroy();
      return;
    case 'cut': {
      cut(res, intended);
      return;
    }
    case 'error': {
      send(res, { status: 500, body: { error: SERVER_ERROR }, headers });
      return;
    }
    case 'busy': {
      send(res, {
        status: 429,
        body: { error: TOO_MANY },
        headers: { ...headers, 'retry-after': '1' },
      });
      return;
    }
    case 'slow': {
      send(res, intended);
      return;
    }
  }
}

/** Half of the answer, then the end of the connection. */
function cut(res: Response, { status, text = '', headers }: Sent): void {
  const payload = Buffer.from(text);
  res.writeHead(status, { 'content-type': 'application/json', 'content-length': payload.length, ...headers });
  res.write(payload.subarray(0, payload.length >> 1), () => res.destroy());
}
