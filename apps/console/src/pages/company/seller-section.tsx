import { useState, type ReactNode } from 'react';

import { now } from '../../app/clock';
import { countryName, languageName } from '../../app/code-names';
import { useClient } from '../../app/session';
import { EditButton } from '../../forms/edit-button';
import { T } from '../../texts';
import { ActionDialog } from '../../ui/action-dialog';
import { Facts } from '../../ui/facts';
import { Outcome } from '../../ui/outcome';
import { Button, Note, Section } from '../../ui/parts';
import type { Company } from './model';

type Seller = NonNullable<Company['seller']>;

/** The seller that invoices name; without one, the company has no invoices. */
export function SellerSection({ company }: { readonly company: Company }): ReactNode {
  const [ends, setEnds] = useState(false);
  const { seller } = company;
  if (seller === null) {
    return (
      <Section title={T.company.seller}>
        <Note>{T.company.noSeller}</Note>
        <div className="actions centred">
          <EditButton kind="seller" record={company} label={T.company.setUp} isPrimary />
        </div>
      </Section>
    );
  }
  return (
    <Section
      title={T.company.seller}
      aside={
        <div className="actions">
          <EditButton kind="seller" record={company} />
          <Button danger onClick={() => setEnds(true)}>
            {T.company.end}
          </Button>
        </div>
      }
    >
      <Facts facts={factsOf(seller)} />
      {ends && <End onClose={() => setEnds(false)} />}
    </Section>
  );
}

function factsOf(seller: Seller): (readonly [string, ReactNode])[] {
  const { name, address, vat_id, tax_number, email, phone, bank, footer, locale, invoice_prefix } = seller;
  const { line1, line2, postal_code, city, region, country } = address;
  const town = [postal_code, city].filter((text) => text !== null).join(' ');
  const place = [line1, line2, town, region, countryName(country)].filter(
    (text) => text !== null && text !== '',
  );
  const year = String(new Date(now()).getUTCFullYear());
  const given = (label: string, value: string | null): (readonly [string, ReactNode])[] =>
    value === null ? [] : [[label, value]];
  return [
    [T.company.name, name],
    [T.company.address, place.join(', ')],
    ...given(T.company.vatId, vat_id),
    ...given(T.company.taxNumber, tax_number),
    ...given(T.company.email, email),
    ...given(T.company.phone, phone),
    ...given(T.company.bank, bank),
    ...given(T.company.footer, footer),
    [T.company.language, languageName(locale)],
    [T.company.numbers, T.company.numbered(invoice_prefix, year)],
  ];
}

function End({ onClose }: { readonly onClose: () => void }): ReactNode {
  const client = useClient();
  return (
    <ActionDialog
      title={T.company.end}
      danger
      run={() => client.put('/company', { body: { seller: null } })}
      onClose={onClose}
    >
      <Outcome lines={[T.company.endOutcome, T.company.endKept]} />
    </ActionDialog>
  );
}
