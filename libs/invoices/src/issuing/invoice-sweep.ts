import { Injectable } from '@nestjs/common';
import { Sweeps } from '@commerce/jobs';
import { BillingHoldStore, InvoiceDueStore } from '@commerce/payments';
import type { Id } from '@commerce/records';
import pMap from 'p-map';

import { InvoiceIssuer } from './invoice-issuer.js';

/** Companies whose documents are made concurrently. */
const CONCURRENCY = 4;

/** Makes the documents of all companies that are due. While billing is on hold, as after a restore, it makes none. */
@Injectable()
export class InvoiceSweep {
  constructor(
    private readonly due: InvoiceDueStore,
    private readonly issuer: InvoiceIssuer,
    private readonly holds: BillingHoldStore,
  ) {}

  @Sweeps('invoices')
  async sweep(): Promise<void> {
    // An error of one company must not delay the others; in the end the sweep fails with all errors.
    await pMap(this.companies(), (company) => this.issuer.run(company), {
      concurrency: CONCURRENCY,
      stopOnError: false,
    });
  }

  /** The companies with waiting rows; none while billing is on hold. */
  private async *companies(): AsyncGenerator<Id> {
    let isHeld: boolean | null = null;
    for await (const company of this.due.companies()) {
      isHeld ??= (await this.holds.since()) !== null;
      if (isHeld) return;
      yield company;
    }
  }
}
