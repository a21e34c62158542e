import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { moment, words } from '../../app/format';
import { useClient } from '../../app/session';
import type { User } from '../../lists/names';
import { T } from '../../texts';
import { Note, Section, Trouble } from '../../ui/parts';

const SHOWN = 8;
/** The maximum size of a page; the log begins with the oldest. */
const MOST = 100;

/** The events of a customer, and the changes that people made to it. */
export function Changes({ user }: { readonly user: User }): ReactNode {
  const { _id: id } = user;
  const client = useClient();
  const events = useQuery({
    queryKey: ['/events', 'of', id],
    queryFn: () => client.get('/events', { params: { query: { object: id, size: MOST } } }),
  });
  const audit = useQuery({
    queryKey: ['/audit', 'of', id],
    queryFn: () => client.get('/audit', { params: { query: { record: id, size: SHOWN } } }),
  });
  return (
    <Section title={T.customer.history}>
      <h3>{T.customer.events}</h3>
      <Trouble error={events.error} />
      {events.data?.length === 0 && <Note>{T.customer.noEvents}</Note>}
      <ul className="entries">
        {events.data
          ?.toReversed()
          .slice(0, SHOWN)
          .map((event) => (
            <li key={event.id}>
              <span>{words(event.kind)}</span>
              <span className="quiet small">{moment(event.created)}</span>
            </li>
          ))}
      </ul>
      <h3>{T.customer.audit}</h3>
      <Trouble error={audit.error} />
      {audit.data?.length === 0 && <Note>{T.customer.noAudit}</Note>}
      <ul className="entries">
        {audit.data?.map(({ _id, actor, action, fields, created }) => (
          <li key={_id}>
            <span>
              {words(action)}
              {T.customer.changed(fields.filter((field) => field in user).map(words))}
            </span>
            <span className="quiet small">
              {T.customer.actors[actor]} · {moment(created)}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
