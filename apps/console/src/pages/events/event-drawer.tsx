import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { moment, words } from '../../app/format';
import { useClient } from '../../app/session';
import { T } from '../../texts';
import { Drawer } from '../../ui/drawer';
import { Button, Trouble } from '../../ui/parts';
import { RecordLink } from './record-link';
import type { LoggedEvent } from './use-event-log';

interface EventDrawerProps {
  readonly event: LoggedEvent;
  readonly onClose: () => void;
}

/** One event: its record, the previous values, the record as it was then, and a button to send it again. */
export function EventDrawer({ event, onClose }: EventDrawerProps): ReactNode {
  const client = useClient();
  const replay = useMutation({
    mutationFn: () => client.post('/events/{id}/replay', { params: { path: { id: event.id } } }),
  });
  return (
    <Drawer title={words(event.kind)} onClose={onClose}>
      <p>
        <RecordLink event={event} /> <span className="quiet">{moment(event.created)}</span>
      </p>
      <div className="actions">
        <Button primary busy={replay.isPending} onClick={() => replay.mutate()}>
          {T.webhooks.replay}
        </Button>
      </div>
      {replay.isSuccess && (
        <p className="fine" role="status">
          {T.webhooks.replayed(replay.data.length)}
        </p>
      )}
      <Trouble error={replay.error} />
      <Values title={T.events.before} value={event.previous_data} />
      <Values title={T.events.after} value={event.object} />
    </Drawer>
  );
}

function Values({ title, value }: { readonly title: string; readonly value: object }): ReactNode {
  return (
    <div>
      <h3>{title}</h3>
      <pre tabIndex={0} aria-label={title}>
        {JSON.stringify(value, null, 2)}
      </pre>
    </div>
  );
}
