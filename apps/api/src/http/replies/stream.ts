import { replyJson } from '@commerce/records';
import type { Response } from 'express';

import { jsonFor } from '../versions/versions.js';

/** Writes a long list record by record at the caller's reading speed, in constant memory. */
export async function stream(
  values: AsyncIterable<object>,
  response: Response,
  version: string | null,
): Promise<undefined> {
  response.status(200).type('application/json');
  let separator = '[';
  for await (const value of values) {
    const more = response.write(separator + jsonFor(version, replyJson(value)));
    separator = ',';
    if (!more && !response.destroyed) await drained(response);
    if (response.destroyed) return undefined;
  }
  response.end(separator === '[' ? '[]' : ']');
  return undefined;
}

/** Waits until the caller has read the written bytes or has disconnected. */
function drained(response: Response): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      response.off('drain', go).off('close', go);
      resolve();
    };
    response.on('drain', go).on('close', go);
  });
}
