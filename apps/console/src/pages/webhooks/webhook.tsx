import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';

import { day } from '../../app/format';
import { useClient } from '../../app/session';
import { ChoiceFilter, useFilters } from '../../lists/filters/filters';
import { RecordList, type Column } from '../../lists/record-list';
import { T } from '../../texts';
import { Badge, Note, PageHead, Section, Trouble, When } from '../../ui/parts';
import { DeliveryDrawer } from './delivery-drawer';
import { EndpointActions } from './endpoint-actions';
import { EndpointHealth } from './endpoint-health';
import type { Delivery } from './model';
import { Health } from './webhooks';

const STATUSES = ['PENDING', 'SUCCEEDED', 'EXHAUSTED', 'DROPPED'];

export default function Webhook({ id }: { readonly id: string }): ReactNode {
  const client = useClient();
  const { data, error } = useQuery({
    queryKey: ['/webhooks/{id}', id],
    queryFn: () => client.get('/webhooks/{id}', { params: { path: { id } } }),
  });
  if (data === undefined) return error === null ? <Note>{T.loading}</Note> : <Trouble error={error} />;
  return (
    <>
      <PageHead title={data.kinds.join(', ')} lead={<Health {...data} />}>
        <EndpointActions webhook={data} />
      </PageHead>
      <Section title={T.webhooks.endpoint}>
        <p>
          <code className="wraps">{data.endpoint}</code>
        </p>
        <p className="quiet small note-below">{T.webhooks.facts(day(data.created), data.version)}</p>
      </Section>
      <EndpointHealth webhook={data} />
      <Deliveries id={id} />
    </>
  );
}

function Deliveries({ id }: { readonly id: string }): ReactNode {
  const client = useClient();
  const filters = useFilters();
  const [opened, setOpened] = useState<Delivery | null>(null);
  return (
    <>
      <div className="filters filters-below">
        <ChoiceFilter {...{ filters, name: 'status', label: T.webhooks.deliveries, values: STATUSES }} />
      </div>
      <RecordList
        title={T.webhooks.deliveries}
        of={['/webhooks/{id}/deliveries', id, filters.query]}
        columns={columnsOf(setOpened)}
        empty={T.webhooks.noDeliveries}
        load={(page) =>
          client.get('/webhooks/{id}/deliveries', {
            params: { path: { id }, query: { ...page, ...filters.query } },
          })
        }
      />
      {opened !== null && <DeliveryDrawer delivery={opened} onClose={() => setOpened(null)} />}
    </>
  );
}

function columnsOf(open: (delivery: Delivery) => void): readonly Column<Delivery>[] {
  const answer = ({ attempts }: Delivery): ReactNode => {
    const last = attempts.at(-1);
    return last === undefined ? T.none : (last.status ?? last.error ?? T.none);
  };
  return [
    { title: T.date, show: ({ created }) => <When at={created} /> },
    { title: T.status, show: ({ status }) => <Badge value={status} /> },
    { title: T.webhooks.answer, show: answer },
    { title: T.webhooks.attempts, align: 'right', minor: true, show: ({ attempts }) => attempts.length },
    {
      title: T.webhooks.look,
      align: 'right',
      show: (delivery) => (
        <button type="button" className="link" onClick={() => open(delivery)}>
          {T.webhooks.open}
        </button>
      ),
    },
  ];
}
