import type { ReactNode } from 'react';

import { EditButton } from '../../forms/edit-button';
import { T } from '../../texts';
import { Facts } from '../../ui/facts';
import { Section } from '../../ui/parts';
import type { Company } from './model';

/** What the company's customers may do by themselves. */
export function CustomersSection({ company }: { readonly company: Company }): ReactNode {
  const { subscribe, change, pause, start, stop, trials, may_owe } = company.customers;
  const said = (value: boolean): string => (value ? T.company.yes : T.company.no);
  return (
    <Section title={T.company.customers} aside={<EditButton kind="rights" record={company} />}>
      <Facts
        facts={[
          [T.company.subscribe, said(subscribe)],
          [T.company.change, T.company.changes[change]],
          [T.company.pause, said(pause)],
          [T.company.stop, T.company.stops[stop]],
          [T.company.start, T.company.starts[start]],
          [T.company.trials, T.company.trialsOf[trials]],
          [T.company.owe, said(may_owe)],
        ]}
      />
    </Section>
  );
}
