import { readFileSync } from 'node:fs';

import {
  UpdateCompanyBody,
  defaultCustomerSettings,
  manualTax,
  type CompanyInput,
  type CompanyRecord,
  type CustomerSettings,
  type ProrationMode,
  type Seller,
  type TaxBehavior,
  type TaxSettings,
} from '@commerce/identity';
import { fieldFault, isSame } from '@commerce/kernel';
import { parseBody } from '@commerce/records';
import { Option } from 'nest-commander';

import { AdminCommand, choiceOption, type CommonOptions } from '../../admin-command.js';

const PRORATION_MODES: ProrationMode[] = ['day', 'second', 'thirty'];
const YES_OR_NO = ['yes', 'no'];
const TAX_BEHAVIORS: TaxBehavior[] = ['inclusive', 'exclusive'];

export interface CompanyOptions extends CommonOptions {
  readonly name?: string;
  readonly timezone?: string;
  readonly prorationMode?: ProrationMode;
  readonly taxBehavior?: TaxBehavior;
  readonly usersEditIdentity?: boolean;
  readonly hideInactiveProducts?: boolean;
  readonly seller?: Seller | null;
  readonly tax?: TaxSettings;
  readonly customers?: CustomerSettings;
}

/** Declares the settings of a company as options. */
export abstract class CompanyCommand<Options extends CompanyOptions> extends AdminCommand<Options> {
  @Option({ flags: '--timezone <zone>', description: 'IANA time zone in which billing counts its days' })
  readTimezone(value: string): string {
    return value;
  }

  @Option({
    flags: '--proration-mode <mode>',
    choices: PRORATION_MODES,
    description: 'how part of a period is counted',
  })
  readProrationMode(value: string): ProrationMode {
    return choiceOption(value, 'proration-mode', PRORATION_MODES);
  }

  @Option({
    flags: '--tax-behavior <behavior>',
    choices: TAX_BEHAVIORS,
    description: 'whether prices include VAT or it is added to them',
  })
  readTaxBehavior(value: string): TaxBehavior {
    return choiceOption(value, 'tax-behavior', TAX_BEHAVIORS);
  }

  @Option({
    flags: '--users-edit-identity <yes>',
    choices: YES_OR_NO,
    description: 'whether users may change their own email and external_reference; default: no',
  })
  readUsersEditIdentity(value: string): boolean {
    return choiceOption(value, 'users-edit-identity', YES_OR_NO) === 'yes';
  }

  @Option({
    flags: '--hide-inactive-products <yes>',
    choices: YES_OR_NO,
    description: 'whether inactive products are shown to service accounts only; default: no',
  })
  readHideInactiveProducts(value: string): boolean {
    return choiceOption(value, 'hide-inactive-products', YES_OR_NO) === 'yes';
  }

  @Option({
    flags: '--seller <file>',
    description: 'a JSON file with what invoices say of the company; none ends its invoices',
  })
  readSeller(value: string): Seller | null {
    if (value === 'none') return null;
    return parseBody(UpdateCompanyBody, { seller: jsonIn(value, 'seller') }).seller ?? null;
  }

  @Option({
    flags: '--tax <file>',
    description: 'a JSON file with how the tax of its sales is found; manual: by the vat of each product',
  })
  readTax(value: string): TaxSettings {
    if (value === 'manual') return manualTax();
    return parseBody(UpdateCompanyBody, { tax: jsonIn(value, 'tax') }).tax ?? manualTax();
  }

  @Option({
    flags: '--customers <file>',
    description:
      'a JSON file with what customers may do by themselves; default: all that a new company allows',
  })
  readCustomers(value: string): CustomerSettings {
    if (value === 'default') return defaultCustomerSettings();
    const given = { customers: jsonIn(value, 'customers') };
    return parseBody(UpdateCompanyBody, given).customers ?? defaultCustomerSettings();
  }
}

/** The given settings, without defaults. */
export function companyInput(options: CompanyOptions): CompanyInput {
  const { name, timezone, prorationMode, taxBehavior, usersEditIdentity, hideInactiveProducts } = options;
  const { seller, tax, customers } = options;
  return {
    ...(name === undefined ? {} : { name }),
    ...(timezone === undefined ? {} : { timezone }),
    ...(prorationMode === undefined ? {} : { proration_mode: prorationMode }),
    ...(taxBehavior === undefined ? {} : { tax_behavior: taxBehavior }),
    ...(usersEditIdentity === undefined ? {} : { users_edit_identity: usersEditIdentity }),
    ...(hideInactiveProducts === undefined ? {} : { hide_inactive_products: hideInactiveProducts }),
    ...(seller === undefined ? {} : { seller }),
    ...(tax === undefined ? {} : { tax }),
    ...(customers === undefined ? {} : { customers }),
  };
}

/** The value in a file, which is checked as that of a request is. */
function jsonIn(path: string, option: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw fieldFault(option, `--${option} must be a file with JSON: ${reason}`);
  }
}

export function shownCompany(company: CompanyRecord): Record<string, string | boolean> {
  const { _id, name, timezone, proration_mode, tax_behavior, mode } = company;
  const { users_edit_identity, hide_inactive_products, seller, tax, customers } = company;
  return {
    company: _id.toHexString(),
    name,
    timezone,
    proration_mode,
    tax_behavior,
    mode,
    users_edit_identity,
    hide_inactive_products,
    seller: seller?.name ?? '',
    tax_mode: tax.mode,
    customers: differing(customers),
  };
}

/** The settings that differ from those of a new company. */
function differing(customers: CustomerSettings): string {
  const standard = defaultCustomerSettings();
  return (Object.keys(standard) as (keyof CustomerSettings)[])
    .filter((name) => !isSame(customers[name], standard[name]))
    .map(
      (name) =>
        `${name}=${typeof customers[name] === 'object' ? JSON.stringify(customers[name]) : String(customers[name])}`,
    )
    .join(' ');
}
