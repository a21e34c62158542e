import { eventually, idIn, type Client } from '@commerce/testing';

type Identified = Parameters<typeof idIn>[0];

/** The longest that the number of an invoice, and its first document, may take. */
const PATIENCE_MS = 60_000;

/** A document with text and its fonts is larger. */
const SMALLEST_BYTES = 5000;

/** From now on the payments of the company have invoices. */
export async function sell(api: Client): Promise<void> {
  const address = { line1: 'Teestraße 1', postal_code: '10115', city: 'Berlin', country: 'DE' };
  await api.changed('/company', { seller: { name: 'Containers GmbH', address, vat_id: 'DE136695976' } });
}

/**
 * Makes the PDF of an invoice: the image must have the native renderer and the fonts.
 * @returns the errors in words
 */
export async function makeDocument(api: Client, url: string): Promise<string[]> {
  const ids = await eventually(
    async () => (await api.read<Identified[]>('/invoices', { size: 1 })).map(idIn),
    (found) => found.length > 0,
    PATIENCE_MS,
    { what: 'an invoice', pauseMs: () => 500 },
  );
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const reply = await fetch(`${url}/invoices/${ids.join()}.pdf`, { headers: api.headers, signal });
  const bytes = Buffer.from(await reply.arrayBuffer());
  const isDocument = bytes.subarray(0, 5).toString() === '%PDF-' && bytes.length > SMALLEST_BYTES;
  if (reply.status === 200 && isDocument) return [];
  return [`the PDF of an invoice: ${String(reply.status)} ${bytes.subarray(0, 500).toString()}`];
}
