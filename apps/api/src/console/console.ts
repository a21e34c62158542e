import type { NestExpressApplication } from '@nestjs/platform-express';
import { pagePolicy } from '@commerce/process';
import type { NextFunction, Request, Response } from 'express';

import { consoleFiles, type ConsoleFile } from './console-files.js';

const PATH = '/console';
const PAGE = 'index.html';

/**
 * Serves the console. Every path below /console that names no file serves its page, which picks the view in the
 * browser; the files are read once, when the process starts.
 */
export function serveConsole(app: NestExpressApplication): void {
  const files = consoleFiles();
  app.use(PATH, pagePolicy());
  app.use(PATH, (request: Request, response: Response, next: NextFunction) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      next();
      return;
    }
    const name = request.path.slice(1);
    const found = files.get(name) ?? (name.startsWith('assets/') ? undefined : files.get(PAGE));
    if (found === undefined) next();
    else send(found, request, response);
  });
}

function send(
  { type, plain, compressed, immutable }: ConsoleFile,
  request: Request,
  response: Response,
): void {
  response.setHeader('Content-Type', type);
  response.setHeader('Vary', 'Accept-Encoding');
  response.setHeader('Cache-Control', immutable ? 'public, max-age=31536000, immutable' : 'no-cache');
  if (compressed !== null && request.acceptsEncodings('br') === 'br') {
    response.setHeader('Content-Encoding', 'br');
    response.end(compressed);
  } else {
    response.end(plain);
  }
}
