import { BY_COMPANY_ID, Choice, Flag, Instant, Nested, OwnedRecord, RecordOf, Text } from '@commerce/records';

import { Seller } from '../parties/seller.js';
import { TaxSettings, manualTax } from '../parties/tax-settings.js';
import { CustomerSettings, defaultCustomerSettings } from './customer-settings.js';

export type Mode = 'test' | 'live';
export type ProrationMode = 'day' | 'second' | 'thirty';
export type TaxBehavior = 'inclusive' | 'exclusive';

/** A merchant. It owns itself, so that it too is accessed through a company only. */
@RecordOf({
  collection: 'companies',
  noun: 'company',
  cls: 'Company',
  touched: 'updated',
  sharding: BY_COMPANY_ID,
})
export class CompanyRecord extends OwnedRecord {
  @Text({ min: 1, description: 'name for people' })
  name: string;

  @Choice(['test', 'live'], {
    fold: 'lower',
    default: 'test',
    description: 'whether its customers are charged real money; never changes',
  })
  mode: Mode;

  @Text({ default: 'UTC', max: 64, description: 'IANA time zone in which billing counts its days' })
  timezone: string;

  @Choice(['day', 'second', 'thirty'], {
    fold: 'lower',
    default: 'day',
    description: 'how part of a period is counted',
  })
  proration_mode: ProrationMode;

  @Choice(['inclusive', 'exclusive'], {
    fold: 'lower',
    default: 'inclusive',
    description: 'whether prices include VAT',
  })
  tax_behavior: TaxBehavior;

  @Flag({
    default: false,
    description: 'whether users may change their own email and external_reference',
  })
  users_edit_identity: boolean;

  @Flag({
    default: false,
    description: 'whether inactive products are shown to service accounts only',
  })
  hide_inactive_products: boolean;

  @Nested(() => Seller, {
    optional: true,
    description: 'what its invoices say of it; payments that succeed while it is set get invoices',
  })
  seller: Seller | null;

  @Nested(() => TaxSettings, { default: manualTax, description: 'how the tax of what it sells is found' })
  tax: TaxSettings;

  @Nested(() => CustomerSettings, {
    default: defaultCustomerSettings,
    description: 'what its customers may do by themselves',
  })
  customers: CustomerSettings;

  /** When the seller was set; null without one. */
  @Instant({ optional: true, hidden: true })
  invoices_since: Date | null;

  @Instant({ last: true })
  updated: Date;
}
