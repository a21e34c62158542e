/**
 * `npm run listen [-- kind …]`: an endpoint for the demo company of the running `npm start`. It registers itself as a
 * webhook for each kind of event, prints what is delivered and whether its signatures are right, and takes its
 * webhooks away again at the end.
 */
import './stack/node-version.mjs';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRecord, isRunning } from './stack/record.mjs';
import { runScript, StartError } from './stack/report.mjs';
import { loadDotEnv, readDataDir } from './stack/settings.mjs';

const USUAL = [
  'user.created',
  'subscription.created',
  'subscription.activated',
  'subscription.cancelled',
  'payment.created',
  'payment.succeeded',
  'payment.requires_auth',
];

await runScript(async () => {
  loadDotEnv();
  const { base, keys } = runningDemo(readDataDir(process.env));
  const { createClient, idOf } = await import('./demo/client.mjs');
  const { Receiver } = await import('./demo/receiver.mjs');
  const client = createClient(base, keys);
  const receiver = new Receiver();
  const endpoint = await receiver.start();
  const ended = new Promise((resolve) =>
    ['SIGINT', 'SIGTERM'].forEach((signal) => process.once(signal, resolve)),
  );
  receiver.onMessage = (message) => process.stdout.write(`${lineOf(message)}\n`);
  const kinds = process.argv.length > 2 ? process.argv.slice(2) : USUAL;
  const webhooks = [];
  try {
    for (const kind of kinds) {
      const webhook = await client.post('/webhooks', { event_type: kind, endpoint: `${endpoint}/${kind}` });
      receiver.trust(webhook);
      webhooks.push(idOf(webhook));
    }
    process.stdout.write(`Listening at ${endpoint} for ${kinds.join(', ')}\nEnd with Ctrl-C.\n\n`);
    await ended;
  } finally {
    for (const id of webhooks) await client.delete(`/webhooks/${id}`).catch(() => undefined);
    await receiver.stop();
  }
  return 0;
});

/** The address and the keys of the demo company. */
function runningDemo(dataDir) {
  const record = readRecord(dataDir);
  const file = join(dataDir, 'demo.json');
  if (!record || !isRunning(record.owner) || !existsSync(file)) {
    throw new StartError('The service does not run here. Start it in another terminal first: npm start');
  }
  return { base: `http://127.0.0.1:${record.ports.api}`, keys: JSON.parse(readFileSync(file, 'utf8')) };
}

function lineOf({ kind, object, hex, standard }) {
  const what =
    object.amount === undefined
      ? (object.status ?? object.name ?? '')
      : `${object.amount} ${object.currency} ${object.status}`;
  const signed = hex && standard ? 'signature verified' : 'SIGNATURE WRONG';
  return `${new Date().toISOString().slice(11, 19)}  ${kind.padEnd(24)}  ${String(what).padEnd(24)}  ${signed}`;
}
