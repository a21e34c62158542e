import type { Reply } from 'commerce-service-client';
import type { ReactNode } from 'react';

import { money, words } from '../app/format';
import { PlanName, UserName } from '../lists/names';
import { T } from '../texts';

export type Found = Reply<'/search', 'get'>['results'][number];

/** The page of a record that was found. */
export function pathOf({ object_type, _id }: Found): string {
  switch (object_type) {
    case 'user':
    case 'subscription':
    case 'order':
    case 'invoice':
    case 'webhook':
      return `/${object_type}s/${_id}`;
    case 'payment':
    case 'plan':
    case 'product':
    case 'coupon':
      return `/${object_type}s?id=${_id}`;
  }
}

/** The label by which people recognize a record: a name, and a mark that distinguishes it from others of that name. */
export function FoundText({ found }: { readonly found: Found }): ReactNode {
  const { amount, currency, email, human_id, number, status } = found;
  const details = [
    number,
    email,
    amount === null || currency === null ? null : money(amount, currency),
    status === null ? null : words(status),
    human_id,
  ];
  return (
    <>
      <span className="strong">
        <Name found={found} />
      </span>
      <span className="quiet small">{details.filter((text) => text !== null).join(' · ')}</span>
    </>
  );
}

function Name({ found }: { readonly found: Found }): ReactNode {
  const { user, plan, name, code, email, human_id } = found;
  if (user === null) return name ?? code ?? email ?? human_id ?? T.unnamed;
  return (
    <>
      <UserName id={user} />
      {plan !== null && (
        <>
          {' · '}
          <PlanName id={plan} />
        </>
      )}
    </>
  );
}
