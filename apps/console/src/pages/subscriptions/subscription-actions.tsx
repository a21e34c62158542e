import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';

import { useClient } from '../../app/session';
import type { Subscription } from '../../picture/model';
import { T } from '../../texts';
import { Drawer } from '../../ui/drawer';
import { Button, Trouble } from '../../ui/parts';
import { ChangePlan } from './change-plan';

type Action = 'start' | 'pause' | 'stop' | 'release';

const ACTIONS: Readonly<Record<Subscription['status'], readonly Action[]>> = {
  CREATED: ['start'],
  FUTURE: ['stop'],
  ACTIVE: ['pause', 'stop'],
  PAUSED: ['start', 'stop'],
  NON_RENEWING: [],
  COMPLETED: [],
  CANCELLED: [],
};

/** Where plan and quantity can change. */
const CHANGEABLE: ReadonlySet<Subscription['status']> = new Set(['CREATED', 'FUTURE', 'ACTIVE', 'PAUSED']);

/** The actions that a subscription's state allows; the service makes the final decision. */
export function SubscriptionActions({ subscription }: { readonly subscription: Subscription }): ReactNode {
  const [asked, setAsked] = useState<Action | null>(null);
  const { status } = subscription;
  const [changes, setChanges] = useState(false);
  const held: readonly Action[] = subscription.held === null ? [] : ['release'];
  return (
    <>
      {CHANGEABLE.has(status) && <Button onClick={() => setChanges(true)}>{T.changePlan.button}</Button>}
      {[...held, ...ACTIONS[status]].map((action) => (
        <Button
          key={action}
          danger={action === 'stop'}
          primary={action === 'release'}
          onClick={() => setAsked(action)}
        >
          {T.actions[action].button}
        </Button>
      ))}
      {changes && <ChangePlan subscription={subscription} onClose={() => setChanges(false)} />}
      {asked !== null && <Confirm action={asked} id={subscription._id} onClose={() => setAsked(null)} />}
    </>
  );
}

interface ConfirmProps {
  readonly action: Action;
  readonly id: string;
  readonly onClose: () => void;
}

/** Shows the charges of an action before it is taken. */
function Confirm({ action, id, onClose }: ConfirmProps): ReactNode {
  const client = useClient();
  const cache = useQueryClient();
  const params = { path: { id } };
  const making = useMutation({
    mutationFn: () => {
      switch (action) {
        case 'start':
          return client.post('/subscriptions/{id}/start', { params, body: {} });
        case 'pause':
          return client.post('/subscriptions/{id}/pause', { params, body: {} });
        case 'stop':
          return client.post('/subscriptions/{id}/stop', { params, body: {} });
        case 'release':
          return client.post('/subscriptions/{id}/release', { params });
      }
    },
    onSuccess: async () => {
      await cache.invalidateQueries();
      onClose();
    },
  });
  return (
    <Drawer title={T.actions[action].button} onClose={onClose}>
      <p>{T.actions[action].explains}</p>
      <Trouble error={making.error} />
      <div className="actions">
        <Button
          primary={action !== 'stop'}
          danger={action === 'stop'}
          busy={making.isPending}
          onClick={() => making.mutate()}
        >
          {T.actions[action].button}
        </Button>
        <Button onClick={onClose}>{T.close}</Button>
      </div>
    </Drawer>
  );
}
