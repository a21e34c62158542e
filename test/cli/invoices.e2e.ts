import { mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { getConnectionToken } from '@nestjs/mongoose';
import { eventually, idIn } from '@commerce/testing';
import { Types, type Connection } from 'mongoose';
import Papa from 'papaparse';

import { Shop, type Buyer } from '../shop.js';
import { World } from '../world.js';
import { cli, json } from './command-line.js';

const SELLER = {
  name: 'Teehaus GmbH',
  address: { line1: 'Teestraße 1', country: 'DE' },
  invoice_prefix: 'R',
};
const YEAR = new Date().getUTCFullYear();

let world: World;
let buyer: Buyer;
let product: string;
let folder: string;
let of: string[];
beforeAll(async () => {
  world = await World.start();
  buyer = await new Shop(world).buyer();
  await buyer.client.changed(`/users/${buyer.id}`, { billing: { company: 'Tea\n=1+1' } });
  product = await new Shop(world).product();
  folder = mkdtempSync(join(tmpdir(), 'seller-'));
  of = ['--company', world.company.toHexString()];
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await world.stop();
});

const rows = (name: string): ReturnType<Connection['collection']> =>
  world.api.get<Connection>(getConnectionToken()).collection(name);

async function bought(): Promise<string> {
  const items = [{ product, quantity: 1 }];
  const order = await buyer.client.made('/orders', { items, payment_method: buyer.card });
  return order.payment.$oid;
}

async function sold(seller: unknown): Promise<any> {
  const file = join(folder, 'seller.json');
  writeFileSync(file, JSON.stringify(seller));
  return cli(['company:update', ...of, '--seller', file]);
}

/** The numbers of the documents of a payment, once there are any. */
async function numbersOf(payment: string, count = 1): Promise<string[]> {
  const found = await eventually(
    () => world.admin.read('/invoices', { payment, sort: 'created' }),
    (all: any[]) => all.length >= count,
    20_000,
  );
  return found.map(({ number }: any) => number);
}

async function fileOf(invoice: any, form: 'pdf' | 'xml'): Promise<Buffer> {
  const { baseUrl, headers } = world.admin;
  const answer = await fetch(`${baseUrl}/invoices/${idIn(invoice)}.${form}`, { headers });
  return Buffer.from(await answer.arrayBuffer());
}

const number = (place: number, kind = ''): string =>
  `R${kind}${String(YEAR)}-${String(place).padStart(6, '0')}`;

async function findings(...args: string[]): Promise<any[]> {
  const { stdout } = await cli(['doctor', ...of, ...args, '--json']);
  return JSON.parse(stdout).findings.map(({ kind, id, detail }: any) => [kind, id, detail]);
}

describe('Invoices at the command line', () => {
  it('begin with a seller, which is checked as in a request', async () => {
    const old = await bought();
    const { code, stderr } = await sold({ ...SELLER, address: { line1: 'Teestraße 1' } });
    expect([code, stderr]).toEqual([1, expect.stringContaining('seller.address.country')]);
    expect((await cli(['company:update', ...of, '--seller', join(folder, 'none.json')])).code).toBe(1);
    const refused = await cli(['invoice:request', '--payment', old]);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('has no seller')]);
    expect((await sold(SELLER)).code).toBe(0);
    await eventually(
      () => world.admin.read('/company'),
      ({ seller }) => seller !== null,
      10_000,
    );
    await world.admin.made(`/payments/${old}/refunds`, { amount: 4 });
    const first = await bought();
    expect(await numbersOf(first)).toEqual([number(1)]);
    // A payment from before has documents only when they are requested.
    expect(await world.admin.read('/invoices', { payment: old })).toEqual([]);
    expect(await findings()).toEqual([]);
    expect(await json('invoice:request', '--payment', old)).toEqual({ requested: 2 });
    expect(await numbersOf(old, 2)).toEqual([number(2), number(1, 'CN')]);
    expect(await json('invoice:request', '--payment', old)).toEqual({ requested: 0 });
  }, 300_000);

  it('are missed by doctor, which has them made', async () => {
    const payment = await bought();
    await numbersOf(payment);
    await world.admin.made(`/payments/${payment}/refunds`, { amount: 1 });
    await numbersOf(payment, 2);
    // As a fault of the service might leave it.
    const key = new Types.ObjectId(payment);
    await rows('companies').updateOne(
      { _id: world.company },
      { $set: { invoices_since: new Date(Date.now() - 600_000) } },
    );
    await rows('invoices').deleteOne({ payment: key, refund: { $ne: null } });
    const [earlier] = await world.admin.read('/invoices', { kind: 'credit_note' });
    expect(await findings()).toEqual([
      ['invoice.number_missing', idIn(earlier), `before the next credit_note of ${String(YEAR)}: missing: 2`],
      [
        'payment.without_credit_note',
        payment,
        expect.stringContaining('1 EUR were given back, 1 without a credit note'),
      ],
    ]);
    await rows('invoices').deleteOne({ payment: key });
    const other = await bought();
    const [next] = await numbersOf(other);
    const [documents] = await world.admin.read('/invoices', { payment: other });
    const found = await findings('--fix');
    expect(next).toBe(number(4));
    expect(found).toContainEqual([
      'invoice.number_missing',
      idIn(documents),
      `before ${number(4)}: missing: 3`,
    ]);
    expect(found).toContainEqual(['payment.without_invoice', payment, 'collected, and has no invoice']);
    expect(await numbersOf(payment, 2)).toEqual([number(5), number(3, 'CN')]);
  }, 300_000);

  it('are listed, by the days of the company', async () => {
    const today = new Date().toISOString().slice(0, 10);
    const all = await json('invoice:list', ...of);
    const kept = await world.admin.read('/invoices', { size: 100 });
    expect(all.map(({ id, number: given, gross }: any) => [id, given, gross])).toEqual(
      kept.map((one: any) => [idIn(one), one.number, one.gross]),
    );
    expect(all).toContainEqual({
      ...{ kind: 'invoice', number: number(1), issue_date: today, currency: 'EUR' },
      ...{
        id: expect.any(String),
        net: expect.any(Number),
        tax: expect.any(Number),
        gross: expect.any(Number),
      },
      ...{ payment: expect.any(String), customer: expect.any(String) },
    });
    expect(await json('invoice:list', ...of, '--from', today, '--to', today)).toEqual(all);
    expect(await json('invoice:list', ...of, '--to', '2026-01-31')).toEqual([]);
    const short = await cli(['invoice:list', ...of, '--size', '1']);
    expect(short.stdout).toContain(all[0].number);
    expect(short.stdout).toContain('There are more than 1: see --size.');
    const wrong = await cli(['invoice:list', ...of, '--from', '2026-02-30']);
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('--from must be a day')]);
  }, 300_000);

  it('are exported to a folder, which a repetition completes', async () => {
    const out = join(folder, 'export');
    const exported = (): Promise<any> => json('invoice:export', ...of, '--folder', out);
    const kept = await world.admin.read('/invoices', { size: 100, sort: 'created' });
    expect(await exported()).toEqual({
      folder: out,
      ...{ documents: kept.length, made: kept.length, withoutXml: kept.length },
    });
    const [first] = kept;
    const pdf = readFileSync(join(out, `${String(first.number)}.pdf`));
    expect(pdf).toEqual(await fileOf(first, 'pdf'));
    const list = readFileSync(join(out, 'invoices.csv'), 'utf8').trimEnd();
    expect(list).toMatch(/^\ufeffnumber,kind,issue_date,/);
    // A spreadsheet begins a row at a line feed alone, too, unless it is quoted.
    const { data } = Papa.parse<Record<string, string>>(list.slice(1), { header: true, newline: '\n' });
    expect(data.map((row) => row['number'])).toEqual(kept.map((one: any) => one.number));
    expect(new Set(data.map(({ customer }) => customer))).toEqual(new Set(['Tea\n=1+1']));
    expect(list).toContain('seller.vat_id');

    // As a process leaves it that was killed while it wrote the first document.
    renameSync(join(out, `${String(first.number)}.pdf`), join(out, `${String(first.number)}.pdf.part`));
    rmSync(join(out, 'invoices.csv'));
    expect(await exported()).toMatchObject({ documents: kept.length, made: 1 });
    expect(readFileSync(join(out, `${String(first.number)}.pdf`))).toEqual(pdf);
    expect(readdirSync(out)).toHaveLength(Number(kept.length) + 1);
    expect(await exported()).toMatchObject({ made: 0 });
  }, 300_000);

  it('go on above the numbers that a restored database has lost, and never below', async () => {
    const next = ['invoice:next', ...of, '--kind', 'invoice', '--year', String(YEAR)];
    const low = await cli([...next, '--number', '6', '--yes']);
    expect([low.code, low.stderr]).toEqual([1, expect.stringContaining('number must be above 6')]);
    expect((await cli(['invoice:next', ...of, '--number', '9', '--yes'])).code).toBe(1);
    expect(await json(...next, '--number', '9', '--yes')).toEqual([
      { kind: 'credit_note', year: YEAR, next: 4 },
      { kind: 'invoice', year: YEAR, next: 9 },
    ]);
    expect(await numbersOf(await bought())).toEqual([number(9)]);
    const gaps = (await findings()).filter(([kind]) => kind === 'invoice.number_missing');
    expect(gaps.map(([, , detail]) => detail)).toEqual([
      `before ${number(3, 'CN')}: missing: 2`,
      `before ${number(4)}: missing: 3`,
    ]);
  }, 300_000);

  it('wait while billing is on hold', async () => {
    await json('billing:hold');
    const payment = await new Shop(world).database.collection('payments').findOne({ status: 'SUCCEEDED' });
    await world.admin.made(`/payments/${String(payment?._id)}/refunds`, { amount: 1 });
    const waiting = (): Promise<number> => rows('invoices_due').countDocuments();
    await eventually(waiting, (count) => count === 1, 5000);
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect(await waiting()).toBe(1);
    await json('billing:resume');
    await eventually(waiting, (count) => count === 0, 10_000);
  }, 300_000);
});
