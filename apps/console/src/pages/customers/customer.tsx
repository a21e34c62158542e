import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';

import { moment } from '../../app/format';
import { useClient } from '../../app/session';
import { EditButton } from '../../forms/edit-button';
import { Documents } from '../../lists/documents';
import { useUser, type User } from '../../lists/names';
import { T } from '../../texts';
import { Facts } from '../../ui/facts';
import { Badge, Button, Note, PageHead, Section, Trouble } from '../../ui/parts';
import { Balance } from './balance';
import { Cards } from './cards';
import { Changes } from './changes';
import { NewSubscription } from './new-subscription';
import { taxFactsOf } from './tax-evidence';
import { OrdersOf, PaymentsOf, SubscriptionsOf } from './records-of';

/** All that concerns one customer: what they buy, how they pay, and what happened. */
export default function Customer({ id }: { readonly id: string }): ReactNode {
  const { data: user, error } = useUser(id);
  if (user === undefined) return error === null ? <Note>{T.loading}</Note> : <Trouble error={error} />;
  return (
    <>
      <Head user={user} />
      <Section title={T.customer.facts}>
        <FactsOf user={user} />
      </Section>
      <div className="columns">
        <SubscriptionsOf user={user} />
        <PaymentsOf user={user} />
        <Cards user={user} />
        <Balance user={user} />
        <OrdersOf user={user} />
        <Documents user={id} />
        <Changes user={user} />
      </div>
    </>
  );
}

function Head({ user }: { readonly user: User }): ReactNode {
  const [subscribes, setSubscribes] = useState(false);
  const { name, email, human_id, deleted } = user;
  return (
    <PageHead title={name ?? email ?? human_id} lead={deleted ? <Badge value="deleted" /> : email}>
      {!deleted && (
        <>
          <Button primary onClick={() => setSubscribes(true)}>
            {T.newSubscription.button}
          </Button>
          <EditButton kind="users" record={user} />
        </>
      )}
      {subscribes && <NewSubscription user={user} onClose={() => setSubscribes(false)} />}
    </PageHead>
  );
}

function FactsOf({ user }: { readonly user: User }): ReactNode {
  const { _id, email, external_reference, timezone, test_clock, created, human_id } = user;
  return (
    <Facts
      facts={[
        [T.customer.email, email ?? T.none],
        [T.customer.reference, external_reference ?? T.none],
        [T.customer.lives, test_clock === null ? T.realTime : <ClockName key="clock" id={test_clock} />],
        ...taxFactsOf(user),
        ...(timezone === null ? [] : ([[T.customer.timezone, timezone]] as const)),
        [T.customer.made, moment(created)],
        [
          T.customer.id,
          <span key="id" title={_id}>
            <code>{human_id}</code>
          </span>,
        ],
      ]}
    />
  );
}

/** Leads to the customers who live on the same clock. */
function ClockName({ id }: { readonly id: string }): ReactNode {
  const client = useClient();
  const { data } = useQuery({
    queryKey: ['/test_clocks/{id}', id],
    queryFn: () => client.get('/test_clocks/{id}', { params: { path: { id } } }),
  });
  return <Link href={`/users?test_clock=${id}`}>{T.money.onClock(data?.name ?? T.unnamed)}</Link>;
}
