import { useQuery } from '@tanstack/react-query';
import { CommerceProblem } from 'commerce-service-client';
import { useState, type ReactNode } from 'react';

import { moment } from '../../app/format';
import { useClient } from '../../app/session';
import { T } from '../../texts';
import { Drawer } from '../../ui/drawer';
import { Badge, Trouble } from '../../ui/parts';
import { SendAgain } from './send-again';
import type { Delivery } from './model';

interface DeliveryDrawerProps {
  readonly delivery: Delivery;
  readonly onClose: () => void;
}

/** One delivery: its request, the response to each attempt, and a button to send it again. */
export function DeliveryDrawer({ delivery: opened, onClose }: DeliveryDrawerProps): ReactNode {
  const [delivery, setDelivery] = useState(opened);
  const { event_type, status, reason, endpoint, created } = delivery;
  return (
    <Drawer title={event_type} onClose={onClose}>
      <p className="badges">
        <Badge value={status} />
        {reason !== null && <Badge value={reason} />}
        <span className="quiet">{moment(created)}</span>
      </p>
      <SendAgain delivery={delivery} onSent={setDelivery} />
      <div>
        <h3>{T.webhooks.replies}</h3>
        {delivery.attempts.length === 0 && <p className="quiet">{T.webhooks.noAttempt}</p>}
        <ul className="explanation">
          {delivery.attempts.map((one) => (
            <li key={one.number}>
              <span>{moment(one.at)}</span>
              <span className="strong">{one.status ?? one.error}</span>
              <span className="note-of-line">{T.webhooks.took(one.duration_ms)}</span>
              {one.reply !== null && one.reply !== '' && <pre className="note-of-line">{one.reply}</pre>}
            </li>
          ))}
        </ul>
      </div>
      <div>
        <h3>{T.webhooks.request}</h3>
        <p className="small">
          <code>POST {endpoint}</code>
        </p>
        <Request id={delivery._id} />
      </div>
    </Drawer>
  );
}

/** The request as the service rebuilds it from stored data: the same bytes that were signed and sent. */
function Request({ id }: { readonly id: string }): ReactNode {
  const client = useClient();
  const { data, error } = useQuery({
    queryKey: ['/deliveries/{id}/request', id],
    queryFn: () => client.get('/deliveries/{id}/request', { params: { path: { id } } }),
  });
  if (data === undefined) {
    if (error === null) return T.loading;
    return isGone(error) ? <p className="quiet">{T.webhooks.noEvent}</p> : <Trouble error={error} />;
  }
  const { attempt, headers, body, unsigned } = data;
  return (
    <>
      <p className="quiet small">
        {attempt === null ? T.webhooks.willSend : T.webhooks.sentBy(attempt)}
        {unsigned !== null && ` ${T.webhooks.unsigned[unsigned]}`}
      </p>
      <Shown
        title={T.webhooks.headers}
        text={headers.map(({ name, value }) => `${name}: ${value}`).join('\n')}
      />
      <Shown title={T.webhooks.asSent} text={body} />
      <Shown title={T.webhooks.indented} text={JSON.stringify(JSON.parse(body), null, 2)} />
    </>
  );
}

function Shown({ title, text }: { readonly title: string; readonly text: string }): ReactNode {
  return (
    <>
      <h4>{title}</h4>
      <pre tabIndex={0} aria-label={title}>
        {text}
      </pre>
    </>
  );
}

function isGone(error: Error): boolean {
  return error instanceof CommerceProblem && error.document.code === 'event.not_found';
}
