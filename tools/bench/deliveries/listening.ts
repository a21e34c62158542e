import { idIn } from '@commerce/testing';

import type { BenchContext } from '../context.js';
import { untilNoneLeft } from '../measure/waiting.js';

/** Starts a sink with a webhook for each kind of event, which goes to the path with its number. */
export async function startSink(context: BenchContext, kinds: readonly string[]) {
  const sink = await context.startServer('sink', 'deliveries/sink.js');
  const { admin } = context;
  for (const [index, event_type] of kinds.entries()) {
    const endpoint = `${sink.url}/${String(index)}`;
    const id = idIn(await admin.made('/webhooks', { event_type, endpoint }));
    const read = (): Promise<{ verified: boolean }> => admin.read(`/webhooks/${id}`);
    await untilNoneLeft('webhooks to be verified', async () => ((await read()).verified ? 0 : 1));
  }
  return sink;
}
