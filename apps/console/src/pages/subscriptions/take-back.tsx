import type { ReactNode } from 'react';

import { day } from '../../app/format';
import { useClient } from '../../app/session';
import type { Subscription } from '../../picture/model';
import { T } from '../../texts';
import { ActionDialog } from '../../ui/action-dialog';
import { ActionPreview } from './action-preview';

interface TakeBackProps {
  readonly subscription: Subscription;
  readonly onClose: () => void;
}

/** Takes back a stop that is still to come, after the charges that follow then. */
export function TakeBack({ subscription, onClose }: TakeBackProps): ReactNode {
  const client = useClient();
  const params = { path: { id: subscription._id } };
  return (
    <ActionDialog
      title={T.actions.takeBack.button}
      run={() => client.post('/subscriptions/{id}/start', { params, body: {} })}
      onClose={onClose}
    >
      <ActionPreview
        subscription={subscription}
        asked={{ start: 'now' }}
        lines={({ ending_date }) => [
          T.actions.takeBack.noEnd(day(subscription.ending_date)),
          ...(ending_date === null ? [] : [T.start.ends(day(ending_date))]),
        ]}
      />
    </ActionDialog>
  );
}
