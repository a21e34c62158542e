import { Injectable } from '@nestjs/common';
import { Companies } from '@commerce/identity';
import {
  InvoiceStore,
  UninvoicedReader,
  type InvoiceRecord,
  type LostNumbers,
  type Uninvoiced,
} from '@commerce/invoices';
import { InvoiceDueWriter, PaymentStore, type PaymentRecord } from '@commerce/payments';
import type { Id } from '@commerce/records';

import type { Check } from './check.js';
import type { Finding } from './finding.js';
import { OLDEST_FIRST, type Walk } from './walk.js';

const PAYMENTS_AT_ONCE = 200;

/** Findings of documents that could not be made. */
const MOST_FAILED = 100;

/** A process may not know for this long that its company has a seller. */
const KNOWN_MS = 60_000;

type Numbered = Pick<InvoiceRecord, '_id' | 'kind' | 'year' | 'place' | 'number'>;

/**
 * The numbers of invoices must have no gap and none be given twice, and each payment collected since the company has a
 * seller must have its invoice, and credit notes of what was given back.
 */
@Injectable()
export class InvoicesCheck implements Check {
  constructor(
    private readonly companies: Companies,
    private readonly invoices: InvoiceStore,
    private readonly uninvoiced: UninvoicedReader,
    private readonly payments: PaymentStore,
    private readonly due: InvoiceDueWriter,
  ) {}

  async *check(walk: Walk): AsyncGenerator<Finding> {
    yield* this.numbers(walk);
    for (const { payment, error } of await this.due.store.failed(walk.company, MOST_FAILED)) {
      const detail = `no document could be made, it is tried again each hour: ${error ?? ''}`;
      yield { kind: 'invoice.not_made', id: payment.toHexString(), detail, repair: null };
    }
    const { invoices_since } = await this.companies.get(walk.company);
    if (invoices_since !== null) yield* this.missing(walk, new Date(invoices_since.getTime() + KNOWN_MS));
  }

  private async *numbers(walk: Walk): AsyncGenerator<Finding> {
    const { company } = walk;
    // Read before the documents: those that come meanwhile have later numbers.
    const sequences = await this.invoices.sequencesOf(company);
    const last = new Map<string, Numbered>();
    for await (const one of walk.over(this.invoices.in(company).stream({}, { kind: 1, year: 1, place: 1 }))) {
      const expected = (last.get(nameOf(one))?.place ?? 0) + 1;
      const id = one._id.toHexString();
      if (one.place < expected) {
        yield { kind: 'invoice.number_twice', id, detail: `${one.number} was given twice`, repair: null };
      }
      const lost = sequences.find((sequence) => nameOf(sequence) === nameOf(one))?.lost ?? [];
      const gap = gapOf(expected, one.place, lost);
      if (gap !== null) yield missingNumber(id, one.number, gap);
      last.set(nameOf(one), one);
    }
    for (const { next, lost = [], ...sequence } of sequences) {
      const before = last.get(nameOf(sequence));
      const gap = gapOf((before?.place ?? 0) + 1, next, lost);
      const id = (before?._id ?? company).toHexString();
      if (gap !== null) yield missingNumber(id, `the next ${sequence.kind} of ${String(sequence.year)}`, gap);
    }
  }

  private async *missing(walk: Walk, since: Date): AsyncGenerator<Finding> {
    const made = this.payments.in(walk.company).stream({ created: { $gte: since } }, OLDEST_FIRST);
    let batch: PaymentRecord[] = [];
    for await (const payment of walk.over(made)) {
      batch.push(payment);
      if (batch.length < PAYMENTS_AT_ONCE) continue;
      yield* this.missingAmong(walk.company, batch);
      batch = [];
    }
    yield* this.missingAmong(walk.company, batch);
  }

  private async *missingAmong(company: Id, payments: readonly PaymentRecord[]): AsyncGenerator<Finding> {
    if (payments.length === 0) return;
    for (const one of await this.uninvoiced.among(company, payments)) yield this.finding(one);
  }

  private finding(one: Uninvoiced): Finding {
    const { payment, missing } = one;
    return {
      ...wrongOf(one),
      id: payment._id.toHexString(),
      repair: missing.length === 0 ? null : () => this.due.request(payment, missing),
    };
  }
}

function wrongOf({ payment, missing, uncredited }: Uninvoiced): Pick<Finding, 'kind' | 'detail'> {
  if (missing.includes(null)) {
    return { kind: 'payment.without_invoice', detail: 'collected, and has no invoice' };
  }
  const given = `${String(payment.refunded_amount)} ${payment.currency} were given back`;
  if (uncredited > 0) {
    const detail = `${given}, ${String(uncredited)} without a credit note: ${missing.join(', ')}`;
    return { kind: 'payment.without_credit_note', detail };
  }
  const detail = `${given}, and credit notes are of ${String(-uncredited)} more`;
  return { kind: 'payment.credited_too_much', detail };
}

/** Names the sequence of a number. */
const nameOf = ({ kind, year }: Pick<Numbered, 'kind' | 'year'>): string => `${kind}/${String(year)}`;

const missingNumber = (id: string, before: string, gap: string): Finding => ({
  kind: 'invoice.number_missing',
  id,
  detail: `before ${before}: ${gap}`,
  repair: null,
});

/** The numbers from `expected` to before `place` that are not lost; null where there are none. */
function gapOf(expected: number, place: number, lost: readonly LostNumbers[]): string | null {
  const ranges = [...lost].sort((a, b) => a.from - b.from);
  const missing: string[] = [];
  let at = expected;
  for (const { from, to } of [...ranges, { from: place, to: place }]) {
    const end = Math.min(from, place);
    if (at < end) missing.push(at === end - 1 ? String(at) : `${String(at)} to ${String(end - 1)}`);
    at = Math.max(at, to);
  }
  return missing.length === 0 ? null : `missing: ${missing.join(', ')}`;
}
