import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { getConnectionToken } from '@nestjs/mongoose';
import { Relay } from '@commerce/events';
import { parseId } from '@commerce/records';
import { Client, idIn } from '@commerce/testing';
import { Types, type Connection } from 'mongoose';

import { CUSTOMER, listOf } from '../../apps/cli/src/stripe-import/stripe-examples.spec-data.js';
import { createWorker } from '../../apps/worker/src/create-worker.js';
import { World } from '../world.js';
import { cli, json } from './command-line.js';

/** Commands that change nothing. */
const READING = [
  // Refused where the database is no cluster.
  'database:shard',
  ...['company:list', 'key:list', 'subscription:show', 'payment:show'],
  ...['explain', 'forecast', 'revenue', 'invoice:list', 'invoice:export'],
];

let world: World;
beforeAll(async () => {
  world = await World.start({ worker: false });
});
afterAll(() => world.stop());

const rows = (name: string): ReturnType<Connection['collection']> =>
  world.api.get<Connection>(getConnectionToken()).collection(name);

const keyed = (id: string): { _id: Types.ObjectId } => ({ _id: new Types.ObjectId(id) });

function everyCommand(): string[] {
  const folder = 'apps/cli/src/commands';
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.command.ts'),
  );
  // A file without a name holds the parts that several commands share.
  return files.flatMap(
    (name) => /name: '([a-z:]+)'/.exec(readFileSync(join(folder, name), 'utf8'))?.[1] ?? [],
  );
}

const SAMPLE_SELLER = { name: 'Teehaus GmbH', address: { line1: 'Teestraße 1', country: 'DE' } };

/** Places the events of a company in its log, as a worker does. */
async function relay(company: string): Promise<void> {
  const worker = await createWorker();
  await worker.get(Relay).run(parseId(company)!);
  await worker.close();
}

/** Runs each command with something to change, and returns the company of most of them. */
async function everyChange(): Promise<string> {
  const { company } = await json('company:create', '--name', 'Shop');
  const of = ['--company', company];
  await json('company:update', ...of, '--name', 'Store');
  const { id: key } = await json('key:create', ...of, '--kind', 'api');
  await json('key:revoke', ...of, '--key', key, '--yes');
  const { user } = await json('user:create', ...of, '--name', 'Ada');
  await json('user:token', ...of, '--user', user);
  await json('key:rotate', '--yes');
  await json('secrets:rotate');
  await json('queues:rebuild');
  await json('billing:hold');
  await json('billing:resume');
  await json('invoice:next', ...of, '--kind', 'invoice', '--year', '2026', '--number', '5', '--yes');
  return company;
}

async function everyChangeOfTheDemo(): Promise<void> {
  const demo = await json('seed:demo');
  const of = ['--company', demo.company];
  await json('seed:load', '--products', '1', '--subscriptions', '1');
  await json('billing:run');
  await rows('search_texts').deleteMany({ company: new Types.ObjectId(String(demo.company)) });
  await json('search:rebuild');
  const admin = new Client(world.baseUrl, { apiKey: demo.api_key, bearer: demo.service_key });
  const [subscription] = await admin.read('/subscriptions');
  const held = { reason: 'error', since: new Date(), periods: 0 };
  await rows('subscriptions').updateOne(keyed(idIn(subscription)), { $set: { held } });
  await json('billing:release', ...of);
  await rows('products').updateOne(keyed(demo.product), { $set: { parents: [new Types.ObjectId()] } });
  await cli(['doctor', '--fix', ...of]);
  await relay(demo.company);
  const [event] = await admin.read('/events', { size: 1 });
  await json('events:replay', ...of, '--event', event.id);
  const [payment] = await admin.read('/payments', { status: 'SUCCEEDED', size: 1 });
  await admin.changed('/company', { seller: SAMPLE_SELLER });
  await json('invoice:request', '--payment', idIn(payment));
  const folder = mkdtempSync(join(tmpdir(), 'stripe-import-'));
  const file = join(folder, 'customers.json');
  writeFileSync(file, JSON.stringify(listOf(CUSTOMER)));
  await json('import:stripe', ...of, '--file', file, '--yes');
  const rates = join(folder, 'eurofxref.csv');
  writeFileSync(rates, 'Date,USD\n2026-11-25,1.085\n');
  await json('rates:import', ...of, '--file', rates);
  rmSync(folder, { recursive: true });
}

describe('the audit log', () => {
  it('has a line of every command that changes something', async () => {
    const company = await everyChange();
    await everyChangeOfTheDemo();
    const entries = await rows('audit_entries').find({ actor: 'cli' }).toArray();
    const seen = new Set(entries.map(({ request }) => String(request)));
    const changing = everyCommand().filter((name) => !READING.includes(name));
    expect([...seen].sort()).toEqual(changing.map((name) => `cli ${name}`).sort());
    // Commands on the whole installation are in the audit log of each company.
    const ofAll = entries.filter(({ action }) => action === 'performed');
    const inCompany = ofAll.filter((entry) => String(entry['company']) === company);
    expect(inCompany.map(({ request }) => request).sort()).toEqual(
      ['key:rotate', 'secrets:rotate', 'queues:rebuild', 'billing:hold', 'billing:resume', 'invoice:next']
        .map((name) => `cli ${name}`)
        .sort(),
    );
  }, 300_000);
});
