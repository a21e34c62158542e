import { Injectable } from '@nestjs/common';
import { fault, fieldFault, isFault, isTimezone } from '@commerce/kernel';
import { CustomerUsageStore, DatabaseClock, UnitsOfWork, type Caller } from '@commerce/data';
import { LookupCache } from '@commerce/platform';
import { parseId, randomId, type Id } from '@commerce/records';

import type { Seller } from '../parties/seller.js';
import { requireTaxable } from '../parties/tax-rules.js';
import { manualTax, type TaxSettings } from '../parties/tax-settings.js';
import type { CompanyRecord, Mode, ProrationMode, TaxBehavior } from './company.record.js';
import { allAllowed, type CustomerSettings } from './customer-settings.js';
import { CompanyStore } from './company.store.js';

export interface CompanyInput {
  name?: string;
  timezone?: string;
  proration_mode?: ProrationMode;
  tax_behavior?: TaxBehavior;
  users_edit_identity?: boolean;
  hide_inactive_products?: boolean;
  /** Null ends the invoices. */
  seller?: Seller | null;
  tax?: TaxSettings;
  customers?: CustomerSettings;
}

/** The mode of a company never changes. */
export interface NewCompany extends CompanyInput {
  name: string;
  mode?: Mode;
}

/** Companies and their settings. */
@Injectable()
export class Companies {
  private readonly recent = new LookupCache((id) => this.read(id));

  constructor(
    private readonly store: CompanyStore,
    private readonly units: UnitsOfWork,
    private readonly clock: DatabaseClock,
    quotas: CustomerUsageStore,
  ) {
    quotas.readBy(async (company) => (await this.get(company)).customers.quota);
  }

  /** The company and its settings, at most five seconds old. */
  async get(company: Id): Promise<CompanyRecord> {
    return this.recent.get(company.toHexString());
  }

  /** The settings that bind a caller as a customer; none binds an admin. */
  async customersOf({ company, role }: Pick<Caller, 'company' | 'role'>): Promise<CustomerSettings> {
    return role === 'admin' ? allAllowed() : (await this.get(company)).customers;
  }

  /** The mode of a company and of all its keys; null where there is no such company. */
  async modeOf(company: Id): Promise<Mode | null> {
    try {
      return (await this.get(company)).mode;
    } catch (error) {
      if (isFault(error, 'company.not_found')) return null;
      throw error;
    }
  }

  async create(input: NewCompany): Promise<CompanyRecord> {
    check(input);
    requireTaxable({ tax: input.tax ?? manualTax(), seller: input.seller ?? null }, input);
    const _id = randomId();
    const since = input.seller == null ? null : this.clock.read();
    return this.units.create(this.store, { ...input, invoices_since: since, _id, company: _id });
  }

  async update(company: Id, input: CompanyInput): Promise<CompanyRecord> {
    check(input);
    const after = await this.units.change(this.store.in(company), company, (before, { now }) => {
      const { tax = before.tax, seller = before.seller } = input;
      requireTaxable({ tax, seller }, input);
      return { changes: { ...input, ...invoicesSince(before, input, now) } };
    });
    this.recent.forget(company.toHexString());
    return after;
  }

  /** All companies, for the operator at the command line. */
  all(): AsyncGenerator<CompanyRecord> {
    return this.store.all();
  }

  private async read(id: string): Promise<CompanyRecord> {
    const key = parseId(id);
    if (key === null) throw fault('company.not_found', 'There is no company with this id');
    return this.store.in(key).get(key);
  }
}

/** The date from which on a company has invoices: that of its first seller, kept while it has one. */
function invoicesSince(
  { invoices_since }: CompanyRecord,
  { seller }: CompanyInput,
  now: Date,
): Pick<CompanyRecord, 'invoices_since'> | null {
  if (seller === undefined) return null;
  return { invoices_since: seller === null ? null : (invoices_since ?? now) };
}

function check(input: CompanyInput): void {
  if (input.name?.trim() === '') throw fieldFault('name', 'name must not be empty');
  if (input.timezone !== undefined && !isTimezone(input.timezone)) {
    throw fieldFault(
      'timezone',
      'timezone must be an IANA time zone, such as Europe/Berlin',
      'timezone.unknown',
    );
  }
}
