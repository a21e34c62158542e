import type { Response } from 'express';
import type { WayWrong } from '../cards/outcomes.js';
import { type Refusal, SERVER_ERROR, TOO_MANY } from './refusal.js';

/** The longest wait for an answer that never comes. */
const HANG_MS = 10 * 60_000;

/** Writes the answer past Express, which would compute an ETag. */
export function send(res: Response, status: number, text: string): void {
  begin(res, status, text);
  res.end(text);
}

export function sendRefusal(res: Response, { status, body }: Pick<Refusal, 'status' | 'body'>): void {
  send(res, status, JSON.stringify({ error: body }));
}

function begin(res: Response, status: number, text: string): void {
  res.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
  });
}

/** The answer does not arrive, or another one does. */
export function goWrong(res: Response, way: Exclude<WayWrong, 'slow'>, text: string): void {
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
      begin(res, 200, text);
      res.write(text.slice(0, text.length >> 1), () => res.destroy());
      return;
    }
    case 'error': {
      sendRefusal(res, SERVER_ERROR);
      return;
    }
    case 'busy': {
      res.setHeader('retry-after', '1');
      sendRefusal(res, TOO_MANY);
      return;
    }
  }
}
