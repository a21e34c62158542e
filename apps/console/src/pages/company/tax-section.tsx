import type { ReactNode } from 'react';

import { count } from '../../app/format';
import { EditButton } from '../../forms/edit-button';
import { T } from '../../texts';
import { Facts } from '../../ui/facts';
import { Section } from '../../ui/parts';
import type { Company } from './model';

/** Where the rates of the company's VAT come from. */
export function TaxSection({ company }: { readonly company: Company }): ReactNode {
  const { mode, oss, small_business, rates } = company.tax;
  const decided: readonly (readonly [string, string])[] = [
    [T.company.abroad, oss ? T.company.oss : T.company.origin],
    [T.company.small, small_business ? T.company.yes : T.company.no],
    [T.company.ownRates, count(rates.length)],
  ];
  return (
    <Section title={T.company.tax} aside={<EditButton kind="tax" record={company} />}>
      <Facts facts={[[T.company.rates, T.company.sources[mode]], ...(mode === 'eu' ? decided : [])]} />
    </Section>
  );
}
