import { createHash } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';

import { DocumentRenderer } from '@commerce/invoices';
import { eventually, idIn, type Client } from '@commerce/testing';
import { getConnectionToken } from '@nestjs/mongoose';
import { mongo, type Connection } from 'mongoose';
import sharp from 'sharp';
import { extractText, getDocumentProxy } from 'unpdf';

import { Shop, type Buyer } from '../shop.js';
import { World } from '../world.js';

const SELLER = {
  name: 'Teehaus <b>& Söhne</b>',
  address: { line1: 'Teestraße 1', postal_code: '10115', city: 'Berlin', country: 'DE' },
  vat_id: 'DE136695976',
  footer: 'Danke!\n<script>alert(1)</script>',
  locale: 'de',
  invoice_prefix: 'R/',
};

let world: World;
let shop: Shop;
let buyer: Buyer;
let invoice: any;
beforeAll(async () => {
  world = await World.start();
  shop = new Shop(world);
  await world.admin.changed('/company', { seller: { ...SELLER, logo: await uploadedLogo() } });
  buyer = await shop.buyer();
  const address = { line1: 'شارع الملك فهد 12', city: 'الرياض', country: 'SA' };
  await buyer.client.changed(`/users/${buyer.id}`, { billing: { company: 'شركة الشاي', address } });
  invoice = await invoiceOf(await shop.product({ name: '龙井茶 "A" & <i>', price: 11.9, vat: 0.19 }));
});
afterAll(() => world.stop());

async function uploadedLogo(): Promise<string> {
  const png = sharp({ create: { width: 2000, height: 400, channels: 4, background: '#0a6' } }).png();
  const form = new FormData();
  form.set('file', new Blob([Uint8Array.from(await png.toBuffer())]), 'logo.png');
  const reply = await fetch(`${world.baseUrl}/images`, {
    ...{ method: 'POST', body: form },
    headers: world.admin.headers,
  });
  return idIn((await reply.json()) as any);
}

/** The invoice of an order of a product. */
async function invoiceOf(product: string, { client, card }: Buyer = buyer): Promise<any> {
  const items = [{ product, quantity: 2 }];
  const order = await client.made('/orders', { items, payment_method: card });
  const [found] = await eventually(
    () => world.admin.read('/invoices', { payment: order.payment.$oid }),
    (all: any[]) => all.length > 0,
    20_000,
  );
  return found;
}

interface Fetched {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

async function fetched(client: Client, path: string, headers: Record<string, string> = {}): Promise<Fetched> {
  const reply = await fetch(`${world.baseUrl}${path}`, { headers: { ...client.headers, ...headers } });
  return { status: reply.status, headers: reply.headers, bytes: Buffer.from(await reply.arrayBuffer()) };
}

const pathOf = (extension: string): string => `/invoices/${idIn(invoice)}${extension}`;

describe.each([
  ['.html', 'text/html; charset=utf-8'],
  ['.pdf', 'application/pdf'],
  ['.xml', 'application/xml'],
])('GET /invoices/<id>%s', (extension, type) => {
  it('sends the document under its number, the same bytes at each request', async () => {
    const first = await fetched(world.admin, pathOf(extension));
    expect([first.status, first.headers.get('content-type')]).toEqual([200, type]);
    expect(first.headers.get('content-disposition')).toBe(
      `inline; filename="${invoice.number.replaceAll('/', '-')}${extension}"`,
    );
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    expect(first.headers.get('content-length')).toBe(String(first.bytes.length));
    const own = await fetched(buyer.client, pathOf(extension));
    expect(own.bytes.equals(first.bytes)).toBe(true);
    const etag = first.headers.get('etag')!;
    const again = await fetched(buyer.client, pathOf(extension), { 'if-none-match': etag });
    expect([again.status, again.bytes.length, again.headers.get('etag')]).toEqual([304, 0, etag]);
  });

  it('is for the customer and the admins of its company', async () => {
    const other = await shop.buyer();
    const stranger = await world.stranger();
    expect((await fetched(other.client, pathOf(extension))).status).toBe(404);
    expect((await fetched(stranger.admin, pathOf(extension))).status).toBe(404);
    expect((await fetched(world.anonymous, pathOf(extension))).status).toBe(401);
    const unknown = await fetched(world.admin, `/invoices/5d5bea8f0d1b6a0001c0ffee${extension}`);
    expect([unknown.status, JSON.parse(unknown.bytes.toString()).code]).toEqual([404, 'invoice.not_found']);
    expect((await fetched(world.admin, `/invoices/x${extension}`)).status).toBe(404);
  });
});

describe('The PDF of an invoice', () => {
  const textOf = async (pdf: Buffer): Promise<string> => {
    const { text } = await extractText(await getDocumentProxy(new Uint8Array(pdf)), { mergePages: true });
    return text.replace(/\s+/gu, ' ').normalize('NFKC');
  };

  it('has its texts in the language of the seller, in any script', async () => {
    const text = await textOf((await fetched(world.admin, pathOf('.pdf'))).bytes);
    for (const one of [
      'Rechnung R/',
      'Teehaus <b>& Söhne</b>',
      '龙井茶 "A" & <i>',
      'Saudi-Arabien',
      '23,80 €',
    ])
      expect(text).toContain(one);
    expect(text).toContain('الشاي شركة');
  });

  it('contains the CII that is to be had alone', async () => {
    const proxy = await getDocumentProxy(new Uint8Array((await fetched(world.admin, pathOf('.pdf'))).bytes));
    const attached: any = await proxy.getAttachments();
    const cii = await fetched(world.admin, pathOf('.xml?syntax=cii'));
    expect(Buffer.from(attached['factur-x.xml'].content).equals(cii.bytes)).toBe(true);
    expect(cii.bytes.toString()).toContain(`<ram:ID>${invoice.number}</ram:ID>`);
    const ubl = (await fetched(world.admin, pathOf('.xml'))).bytes.toString();
    expect(ubl).toContain(`<cbc:ID>${invoice.number}</cbc:ID>`);
    expect((await fetched(world.admin, pathOf('.xml?syntax=pdf'))).status).toBe(422);
  });

  it('has no XML where an electronic invoice lacks data', async () => {
    const other = await shop.buyer();
    const found = await invoiceOf(await shop.product(), other);
    const path = `/invoices/${idIn(found)}`;
    const xml = await fetched(world.admin, `${path}.xml`);
    const problem = JSON.parse(xml.bytes.toString());
    expect([xml.status, problem.code, problem.missing]).toEqual([
      409,
      'invoice.incomplete',
      ['buyer.address'],
    ]);
    const { status, bytes } = await fetched(other.client, `${path}.pdf`);
    const proxy = await getDocumentProxy(new Uint8Array(bytes));
    expect([status, await proxy.getAttachments()]).toEqual([200, null]);
  });

  it('is made beside the event loop: 1,000 lines do not block it', async () => {
    const [line] = invoice.content.lines;
    const content = { ...invoice.content, lines: Array.from({ length: 1000 }, () => line) };
    const renderer = world.get(DocumentRenderer);
    const measured: number[] = [];
    let pdf: Uint8Array = Buffer.alloc(0);
    // A busy machine can halt any process for a while; it does not do so at the same point five times.
    for (let turn = 0; turn < 5; turn += 1) {
      const delays = monitorEventLoopDelay({ resolution: 5 });
      delays.enable();
      pdf = await renderer.render({ company: 'a' }, { form: 'pdf', content, logo: null });
      delays.disable();
      measured.push(delays.max / 1e6);
    }
    expect(Math.min(...measured)).toBeLessThan(50);
    // The reader works in this process, so it starts when all is measured.
    expect((await getDocumentProxy(new Uint8Array(pdf))).numPages).toBeGreaterThan(20);
  });
});

describe('Documents', () => {
  it('are made once and kept: the same bytes whatever a later version makes', async () => {
    const found = await invoiceOf(await shop.product());
    const path = `/invoices/${idIn(found)}.pdf`;
    const [one, other] = await Promise.all([fetched(world.admin, path), fetched(buyer.client, path)]);
    expect(one.bytes.equals(other.bytes)).toBe(true);
    const documents = world.api
      .get<Connection>(getConnectionToken())
      .collection<{ _id: string; bytes: mongo.Binary }>('invoice_documents');
    const _id = `${idIn(found)}/pdf`;
    const rows = await documents.find({ _id }).toArray();
    expect(rows.map(({ bytes }) => bytes.length())).toEqual([one.bytes.length]);
    // As an earlier version made it.
    const earlier = Buffer.concat([one.bytes, Buffer.from('%earlier')]);
    await documents.updateOne({ _id }, { $set: { bytes: new mongo.Binary(earlier) } });
    expect((await fetched(buyer.client, path)).bytes.equals(earlier)).toBe(true);
  });

  it('have a bound: an order or a plan of more products than a document shows is refused', async () => {
    const product = await shop.product();
    const sub = await shop.product({ main_product: false });
    await world.admin.changed(`/products/${product}/sub_products`, { add: [sub] });
    const items = (lines: number): unknown => [
      ...Array.from({ length: 5 }, () => ({ product, sub_products: Array.from({ length: 99 }, () => sub) })),
      ...Array.from({ length: lines }, () => ({ product })),
    ];
    const refused = { status: 422, body: { code: 'items.too_many', errors: [{ path: 'items' }] } };
    const plan = { name: 'P', interval_unit: 'MONTH' };
    expect(await world.admin.post('/orders', { user: buyer.id, items: items(1) })).toMatchObject(refused);
    expect(await world.admin.post('/plans', { ...plan, items: items(1) })).toMatchObject(refused);
    expect((await world.admin.post('/orders', { user: buyer.id, items: items(0) })).status).toBe(200);
    expect((await world.admin.post('/plans', { ...plan, items: items(0) })).status).toBe(200);
  });
});

describe('The HTML of an invoice', () => {
  it('has what is given as text, not as markup', async () => {
    const page = (await fetched(world.admin, pathOf('.html'))).bytes.toString();
    expect(page).toContain('Teehaus &lt;b&gt;&amp; Söhne&lt;/b&gt;');
    expect(page).toContain('龙井茶 &quot;A&quot; &amp; &lt;i&gt;');
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page).not.toContain('<script');
    expect(page).toContain('<html lang="de">');
    expect(page).toContain('<b dir="auto">شركة الشاي</b>');
    expect(page).toContain('Saudi-Arabien');
  });

  it('contains its style and its logo, and may load nothing', async () => {
    const { bytes, headers } = await fetched(world.admin, pathOf('.html'));
    const page = bytes.toString();
    const [, css = ''] = /<style>(.*)<\/style>/s.exec(page)!;
    const policy = headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`style-src 'sha256-${createHash('sha256').update(css).digest('base64')}';`);
    const [, logo = ''] = /<img src="data:image\/png;base64,([^"]*)"/.exec(page)!;
    const { width, height } = await sharp(Buffer.from(logo, 'base64')).metadata();
    expect([width, height]).toEqual([900, 180]);
    expect(page).not.toMatch(/(?:src|href)="(?!data:)/);
  });
});
