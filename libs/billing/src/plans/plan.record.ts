import { WORDS_INDEX, wordsOf } from '@commerce/data';
import {
  Amount,
  Choice,
  Currency,
  Decimal,
  Flag,
  Fraction,
  Instant,
  Integer,
  ListOf,
  LongText,
  OwnedRecord,
  RecordOf,
  Ref,
  Refs,
  Text,
  Texts,
  Written,
  type Id,
} from '@commerce/records';
import { PRODUCT_TAX_CATEGORIES, type PriceLine, type ProductTaxCategory } from '@commerce/kernel';

import type { IntervalUnit } from '../domain/calendar/calendar.js';

export const INTERVAL_UNITS: readonly IntervalUnit[] = ['DAY', 'WEEK', 'MONTH', 'MONTH_END', 'ANNUAL'];

/** The longest interval of a plan, in its unit. */
export const MAX_INTERVAL_COUNT = 60;

/** The action on a subscription whose first payment fails. */
export const INITIAL_FAIL_ACTIONS = ['CONTINUE', 'CANCEL'] as const;
export type InitialFailAction = (typeof INITIAL_FAIL_ACTIONS)[number];

/** One product of a plan. */
export class PlanItem {
  @Ref('product')
  product: Id;

  @Decimal({ default: 1, min: 0, max: 1_000_000, description: 'how many of it; more than 0' })
  quantity: number;

  @Fraction({ default: 0, description: 'discount on the product price inside the plan; 0.25 is 25 %' })
  discount: number;

  @Refs('product', { default: () => [], max: 100, description: 'sub-products of the product' })
  sub_products: Id[];
}

/** What an admin should know about a plan. */
export class PlanWarning {
  @Text({ description: 'the field' })
  path: string;

  @Text({ description: 'plan.vat_unsaid or plan.tax_of_items' })
  kind: string;

  @LongText({ description: 'what to do' })
  message: string;
}

/** A billing definition: price, interval unit and rules of collection. */
@RecordOf({
  collection: 'plans',
  noun: 'plan',
  cls: 'Plan',
  touched: 'updated',
  deleted: 'deleted',
  list: { sorts: ['created', 'updated'] },
  indexes: [
    {
      fields: { company: 1, human_id: 1 },
      options: { unique: true },
      // A human_id was generated twice: the request runs again and generates another.
      taken: { code: 'record.conflict', path: 'human_id', message: 'This human_id is in use' },
    },
    { fields: { 'items.product': 1 } },
    { fields: { 'items.sub_products': 1 } },
    WORDS_INDEX,
  ],
})
export class PlanRecord extends OwnedRecord {
  @Text({ default: 'basic', max: 64, description: 'the plan type' })
  method: string;

  @Text({ optional: true, description: 'name for people' })
  name: string | null;

  @Text({ filled: true, description: 'readable id of 6 characters' })
  human_id: string;

  @LongText({ optional: true, description: 'short description' })
  note: string | null;

  @Currency({ filled: true, description: 'ISO 4217; the currency of the items when left out' })
  currency: string;

  @Choice(INTERVAL_UNITS, { description: 'the unit of time that the price is for' })
  interval_unit: IntervalUnit;

  @Integer({
    default: 1,
    min: 1,
    max: MAX_INTERVAL_COUNT,
    description: 'how many interval_units the price is for: MONTH and 3 are a quarter',
  })
  interval_count: number;

  @Choice(INTERVAL_UNITS, {
    filled: true,
    description: 'how often the money is collected; interval_unit when left out',
  })
  billing_interval: IntervalUnit;

  @Integer({
    default: 1,
    min: 1,
    max: MAX_INTERVAL_COUNT,
    description: 'how many billing_intervals lie between two charges',
  })
  billing_interval_count: number;

  @ListOf(() => PlanItem, {
    default: () => [],
    max: 100,
    description: 'the products that the plan consists of',
  })
  items: PlanItem[];

  @Decimal({ default: 0, description: 'the sum of the quantities of the items' })
  units: number;

  @Amount({
    filled: true,
    description: 'price of interval_count interval_units; the sum of the items when left out',
  })
  total_amount: number;

  @Flag({ default: false, description: 'true when total_amount is the sum of the items' })
  total_amount_computed: boolean;

  @Fraction({
    optional: true,
    description:
      'VAT of a price without items, where the company has `tax.mode` `manual`: 0.19 is 19 %. Null: nobody has said it. With items, theirs holds',
  })
  vat: number | null;

  @Choice(PRODUCT_TAX_CATEGORIES, {
    fold: 'lower',
    optional: true,
    description:
      'which rate of a country a price without items has, where the company decides tax by `eu`: standard unless given. With items, theirs hold',
  })
  tax_category: ProductTaxCategory | null;

  @Flag({
    default: false,
    description: 'the payment is taken at the start of a billing period, else at its end',
  })
  prepay: boolean;

  @Choice(INITIAL_FAIL_ACTIONS, {
    default: 'CONTINUE',
    description: 'what becomes of a subscription whose first payment fails',
  })
  initial_fail_amount_action: InitialFailAction;

  @Integer({
    optional: true,
    max: 10_000,
    description: 'periods in a row that may fail before the subscription is cancelled; 0 or absent: no limit',
  })
  max_fail_attempts: number | null;

  @Amount({ default: 0, description: 'charged once per subscription' })
  setup_fee: number;

  @Flag({ default: true, description: 'parts of a period are charged by their part' })
  is_prorated: boolean;

  @Flag({ default: false, description: 'a failed payment is retried' })
  should_retry_payments: boolean;

  @Integer({ default: 4, max: 100, description: 'how often a failed payment is retried' })
  max_payment_retries: number;

  @Integer({ default: 720, min: 1, max: 527_040, description: 'wait before a retry' })
  retry_payment_in_minutes: number;

  @Flag({
    default: false,
    description: 'item prices are frozen when the plan is made; else product prices are read at each charge',
  })
  static: boolean;

  @Flag({ default: true, description: 'an outstanding amount is added to the next charge' })
  auto_bill_amount: boolean;

  @Integer({ default: 0, max: 730, description: 'days before the first period, free of charge' })
  trial_days: number;

  @Flag({
    default: true,
    description: 'users subscribe and change to it; one that is not offered is unknown to them',
  })
  offered: boolean;

  /** The prices of the items when a static plan was created; null for other plans. */
  @Written({ hidden: true })
  frozen_lines: PriceLine[] | null;

  /** The words of its name, for searches. */
  @Texts({ default: planWords, hidden: true })
  search_words: string[];

  @ListOf(() => PlanWarning, {
    default: () => [],
    last: true,
    description: 'what would make invoices wait, or was left out',
  })
  warnings: PlanWarning[];

  @Flag({ default: false, last: true })
  deleted: boolean;

  @Instant({ last: true })
  updated: Date;
}

/** The words by which a search finds a plan. */
export function planWords({ name }: Partial<Pick<PlanRecord, 'name'>>): string[] {
  return wordsOf([name]);
}
