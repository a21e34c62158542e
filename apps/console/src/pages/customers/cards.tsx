import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { now } from '../../app/clock';
import { useClient } from '../../app/session';
import { cardName, usableCards, useCards, type Card } from '../../lists/cards';
import type { User } from '../../lists/names';
import { T } from '../../texts';
import { CopyField } from '../../ui/copy-field';
import { Badge, Button, Note, Section, Trouble } from '../../ui/parts';

/** The saved cards of a customer, and the link with which the customer saves another. */
export function Cards({ user }: { readonly user: User }): ReactNode {
  const client = useClient();
  const { data, error } = useCards(user._id);
  const cards = usableCards(data ?? []);
  const link = useMutation({
    mutationFn: () => client.post('/payment_methods', { body: { payment_method: 'stripe', user: user._id } }),
  });
  const ask = (
    <Button disabled={link.isPending} onClick={() => link.mutate()}>
      {T.customer.cardLink}
    </Button>
  );
  return (
    <Section title={T.customer.cards} aside={user.deleted ? undefined : ask}>
      <Trouble error={error ?? link.error} />
      {link.data?.setup_url && (
        <CopyField
          label={T.customer.cardLinkLabel}
          text={link.data.setup_url}
          help={T.customer.cardLinkHelp}
        />
      )}
      {data === undefined && error === null && <Note>{T.loading}</Note>}
      {data !== undefined && cards.length === 0 && <Note>{T.customer.noCards}</Note>}
      <ul className="entries">
        {cards.map((card) => (
          <li key={card._id}>
            <span className="strong">{cardName(card)}</span>
            {card.default && <Badge value={T.customer.first} />}
            <Expiry card={card} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Expiry({ card: { exp_month, exp_year } }: { readonly card: Card }): ReactNode {
  if (exp_month === null || exp_year === null) return null;
  const month = String(exp_month).padStart(2, '0');
  const isOver = Date.UTC(exp_year, exp_month) <= now();
  const text = isOver ? T.customer.expired : T.customer.expires;
  return <span className={isOver ? 'bad-text' : 'quiet'}>{text(month, String(exp_year))}</span>;
}
