import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { useClient } from '../../app/session';
import { T } from '../../texts';
import { Facts } from '../../ui/facts';
import { Note, PageHead, Section, Trouble } from '../../ui/parts';
import type { Company } from './model';
import { CustomersSection } from './customers-section';
import { SellerSection } from './seller-section';
import { TaxSection } from './tax-section';

/** The company: the seller that its invoices name, its VAT, and its settings. */
export default function CompanyPage(): ReactNode {
  const client = useClient();
  const { data, error } = useQuery({ queryKey: ['/company'], queryFn: () => client.get('/company') });
  if (data === undefined) return error === null ? <Note>{T.loading}</Note> : <Trouble error={error} />;
  return (
    <>
      <PageHead title={T.nav.company} lead={T.company.lead} />
      <SellerSection company={data} />
      <TaxSection company={data} />
      <CustomersSection company={data} />
      <Section title={T.company.settings} aside={<span className="quiet">{T.company.settingsLead}</span>}>
        <Settings company={data} />
      </Section>
    </>
  );
}

function Settings({ company }: { readonly company: Company }): ReactNode {
  const { name, mode, timezone, tax_behavior, proration_mode, users_edit_identity } = company;
  return (
    <Facts
      facts={[
        [T.records.name, name],
        [T.company.mode, T.company.modes[mode]],
        [T.company.timezone, timezone],
        [T.company.prices, T.company.behaviors[tax_behavior]],
        [T.company.proration, T.company.prorations[proration_mode]],
        [T.company.edit, users_edit_identity ? T.company.yes : T.company.no],
      ]}
    />
  );
}
