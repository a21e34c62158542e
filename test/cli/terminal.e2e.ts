import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { getConnectionToken } from '@nestjs/mongoose';
import { eventually, idIn } from '@commerce/testing';
import { Types, type Connection } from 'mongoose';

import { CUSTOMER, listOf } from '../../apps/cli/src/stripe-import/stripe-examples.spec-data.js';
import { Scenario } from '../flows/scenario.js';
import { World } from '../world.js';
import { cli } from './command-line.js';

/** Clears the screen, in C0 and in C1, ends the line, and reverses the text after it. */
const EVIL = 'Ada\u001b[2J\u009b2J\u0007\r\nTotal 0\u202eevil';
const SHOWN = String.raw`Ada\u001b[2J\u009b2J\u0007\u000d\u000aTotal 0\u202eevil`;
const OBEYED = /[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/u;

let world: World;
let subscription: string;
let payment: string;
let folder: string | undefined;
let file: string;
let of: string[];

const rows = (name: string): ReturnType<Connection['collection']> =>
  world.api.get<Connection>(getConnectionToken()).collection(name);

beforeAll(async () => {
  world = await World.start();
  of = ['--company', world.company.toHexString()];
  await rows('companies').updateOne({ _id: world.company }, { $set: { name: EVIL } });
  const seller = { name: EVIL, address: { line1: EVIL, country: 'DE' } };
  await world.admin.changed('/company', { seller });
  const scenario = await Scenario.begin(world, '2026-01-31');
  await world.admin.changed(`/users/${scenario.user}`, { name: EVIL, billing: { company: EVIL } });
  subscription = await scenario.subscribed(
    { name: EVIL, prepay: true, setup_fee: 5 },
    {
      payment_method: await scenario.card(),
    },
  );
  await scenario.until('2026-03-15');
  payment = idIn((await scenario.payments(subscription))[0]);
  await eventually(
    () => world.admin.read('/invoices'),
    (all: any[]) => all.length > 0,
    20_000,
  );
  const key = { _id: new Types.ObjectId(payment) };
  await rows('payments').updateOne(key, { $set: { 'attempts.0.message': EVIL, amount: 1 } });
  await rows('api_keys').updateMany({}, { $set: { made_by: EVIL } });
  folder = mkdtempSync(join(tmpdir(), 'terminal-'));
  file = join(folder, 'customers.json');
  writeFileSync(file, JSON.stringify(listOf({ ...CUSTOMER, id: `cus_${EVIL}`, email: EVIL })));
}, 240_000);
afterAll(async () => {
  if (folder !== undefined) rmSync(folder, { recursive: true });
  await world.stop();
});

describe('the terminal', () => {
  // The third value: whether the command prints a text that a customer or a merchant wrote.
  it.each([
    ['company:create', () => ['--name', EVIL], false],
    ['company:update', () => [...of, '--name', EVIL], true],
    ['company:list', () => [], true],
    ['user:create', () => [...of, '--name', EVIL], true],
    ['key:list', () => of, false],
    ['invoice:list', () => of, true],
    ['subscription:show', () => [subscription], true],
    ['payment:show', () => [payment], true],
    ['explain', () => [payment], false],
    ['forecast', () => of, false],
    ['revenue', () => of, false],
    ['doctor', () => of, false],
    ['import:stripe', () => [...of, '--file', file, '--dry-run'], true],
  ] as const)('obeys no text that %s prints', async (name, words, showsText) => {
    const said = await cli([name, ...words()]);
    expect(said.stdout + said.stderr).not.toMatch(OBEYED);
    expect((said.stdout + said.stderr).includes(SHOWN)).toBe(showsText);
    const json = await cli([name, ...words(), '--json']);
    expect(json.stdout + json.stderr).not.toMatch(OBEYED);
    if (showsText && json.code === 0)
      expect(JSON.stringify(JSON.parse(json.stdout))).toContain(JSON.stringify(EVIL).slice(1, -1));
  });

  it('obeys no refusal', async () => {
    const { stderr } = await cli(['key:list', '--company', EVIL]);
    expect(stderr).toContain('Ada\\u001b[2J');
    expect(stderr).not.toMatch(OBEYED);
  });
});
