import { Queue, type QueueOptions } from 'bullmq';

/** Braces keep all keys of a queue in one slot of a Redis cluster. */
export const QUEUE_PREFIX = '{commerce}';

/** A queue that leaves it to JobQueue to log that Redis is away; BullMQ would print every failed attempt. */
export class QuietQueue extends Queue {
  constructor(name: string, options: QueueOptions) {
    super(name, options);
    this.on('error', () => undefined);
  }
}
