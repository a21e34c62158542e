import { useState, type ReactNode } from 'react';

import { countryName } from '../../app/code-names';
import { useClient } from '../../app/session';
import type { User } from '../../lists/names';
import { T } from '../../texts';
import { ActionDialog } from '../../ui/action-dialog';
import { Outcome } from '../../ui/outcome';
import { Badge } from '../../ui/parts';

/** The country and the VAT id by which tax is decided, and whether anybody has confirmed what the customer gave. */
export function taxFactsOf(user: User): readonly (readonly [name: string, value: ReactNode])[] {
  const { billing, billing_unconfirmed: unconfirmed } = user;
  const country = billing?.address?.country ?? null;
  const vatId = billing?.vat_id ?? null;
  return [
    ...(country === null
      ? []
      : [[T.evidence.country, <Country key="country" {...{ user, country }} />] as const]),
    ...(vatId === null
      ? []
      : [
          [
            T.evidence.vatId,
            <span key="vat">
              {vatId} {unconfirmed.includes('vat_id') && <Badge value="not_confirmed" />}
            </span>,
          ] as const,
        ]),
  ];
}

interface CountryProps {
  readonly user: User;
  readonly country: string;
}

function Country({ user, country }: CountryProps): ReactNode {
  const [asks, setAsks] = useState(false);
  const name = countryName(country);
  if (!user.billing_unconfirmed.includes('country')) return name;
  return (
    <>
      {name} <Badge value="not_confirmed" />{' '}
      {!user.deleted && (
        <button type="button" className="link" onClick={() => setAsks(true)}>
          {T.evidence.confirm}
        </button>
      )}
      {asks && <Confirm {...{ user, name }} onClose={() => setAsks(false)} />}
    </>
  );
}

interface ConfirmProps {
  readonly user: User;
  readonly name: string;
  readonly onClose: () => void;
}

function Confirm({ user: { _id: id, billing }, name, onClose }: ConfirmProps): ReactNode {
  const client = useClient();
  return (
    <ActionDialog
      title={T.evidence.confirm}
      run={() =>
        client.put('/users/{id}', {
          params: { path: { id } },
          body: { billing: billing === null ? null : { ...billing, country_confirmed: true } },
        })
      }
      onClose={onClose}
    >
      <Outcome lines={[T.evidence.until, T.evidence.then(name), T.evidence.lost]} />
    </ActionDialog>
  );
}
