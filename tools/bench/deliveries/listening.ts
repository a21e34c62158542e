import type { BenchContext } from '../context.js';
import { untilNoneLeft } from '../measure/waiting.js';

/** Starts a sink with a webhook for each kind of event, which goes to the path with its number. */
export async function startSink(context: BenchContext, kinds: readonly string[]): Promise<string> {
  const { admin, db } = context;
  const url = await context.startServer('sink', 'deliveries/sink.js');
  for (const [index, event_type] of kinds.entries())
    await admin.made('/webhooks', { event_type, endpoint: `${url}/${String(index)}` });
  const verified = () => db.collection('webhooks').countDocuments({ verified: true });
  await untilNoneLeft('webhooks to be verified', async () => kinds.length - (await verified()));
  return url;
}
