import { createRequire } from 'node:module';
import { dirname } from 'node:path';

import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import type { RequestHandler } from 'express';

import type { JobQueue } from '@commerce/jobs';

/** Bull Board, the page of the queues, for the path under which it is mounted. */
export function queueBoard(jobs: JobQueue, path: string, isWritable: boolean): RequestHandler {
  const board = new ExpressAdapter();
  board.setBasePath(path);
  createBullBoard({
    queues: jobs.allQueues().map((queue) => new BullMQAdapter(queue, { readOnlyMode: !isWritable })),
    serverAdapter: board,
    options: { uiBasePath: boardFiles(), uiConfig: { boardTitle: 'Commerce queues' } },
  });
  return board.getRouter() as RequestHandler;
}

/** The folder of the page's files: Bull Board itself does not find them from a bundle. */
function boardFiles(): string {
  return dirname(createRequire(import.meta.url).resolve('@bull-board/ui/package.json'));
}
