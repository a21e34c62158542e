import type { CompanyInput, CompanyRecord, ProrationMode, TaxBehavior } from '@commerce/identity';
import { Option } from 'nest-commander';

import { AdminCommand, choiceOption, type CommonOptions } from '../admin-command.js';

const PRORATION_MODES: ProrationMode[] = ['day', 'second', 'thirty'];
const TAX_BEHAVIORS: TaxBehavior[] = ['inclusive', 'exclusive'];

export interface CompanyOptions extends CommonOptions {
  readonly name?: string;
  readonly timezone?: string;
  readonly prorationMode?: ProrationMode;
  readonly taxBehavior?: TaxBehavior;
}

/** The settings of a company as options. */
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
}

/** The settings that were given, and nothing else. */
export function companyInput(options: CompanyOptions): CompanyInput {
  const { name, timezone, prorationMode, taxBehavior } = options;
  return {
    ...(name === undefined ? {} : { name }),
    ...(timezone === undefined ? {} : { timezone }),
    ...(prorationMode === undefined ? {} : { proration_mode: prorationMode }),
    ...(taxBehavior === undefined ? {} : { tax_behavior: taxBehavior }),
  };
}

export function shownCompany(company: CompanyRecord): Record<string, string> {
  const { _id, name, timezone, proration_mode, tax_behavior, mode } = company;
  return { company: _id.toHexString(), name, timezone, proration_mode, tax_behavior, mode };
}
