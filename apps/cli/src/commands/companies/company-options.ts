import type { CompanyInput, CompanyRecord, ProrationMode, TaxBehavior } from '@commerce/identity';
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
}

/** The given settings, without defaults. */
export function companyInput(options: CompanyOptions): CompanyInput {
  const { name, timezone, prorationMode, taxBehavior, usersEditIdentity, hideInactiveProducts } = options;
  return {
    ...(name === undefined ? {} : { name }),
    ...(timezone === undefined ? {} : { timezone }),
    ...(prorationMode === undefined ? {} : { proration_mode: prorationMode }),
    ...(taxBehavior === undefined ? {} : { tax_behavior: taxBehavior }),
    ...(usersEditIdentity === undefined ? {} : { users_edit_identity: usersEditIdentity }),
    ...(hideInactiveProducts === undefined ? {} : { hide_inactive_products: hideInactiveProducts }),
  };
}

export function shownCompany(company: CompanyRecord): Record<string, string | boolean> {
  const { _id, name, timezone, proration_mode, tax_behavior, mode } = company;
  const { users_edit_identity, hide_inactive_products } = company;
  return {
    company: _id.toHexString(),
    name,
    timezone,
    proration_mode,
    tax_behavior,
    mode,
    users_edit_identity,
    hide_inactive_products,
  };
}
