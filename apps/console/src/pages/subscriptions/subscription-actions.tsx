import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';

import { useClient } from '../../app/session';
import type { Subscription } from '../../picture/model';
import { T } from '../../texts';
import { Drawer } from '../../ui/drawer';
import { Button, Trouble } from '../../ui/parts';

type Move = 'start' | 'pause' | 'stop' | 'release';

const MOVES: Readonly<Record<Subscription['status'], readonly Move[]>> = {
  CREATED: ['start'],
  FUTURE: ['stop'],
  ACTIVE: ['pause', 'stop'],
  PAUSED: ['start', 'stop'],
  NON_RENEWING: [],
  COMPLETED: [],
  CANCELLED: [],
};

/** The actions that a subscription's state allows; the service makes the final decision. */
export function SubscriptionActions({ subscription }: { readonly subscription: Subscription }): ReactNode {
  const [asked, setAsked] = useState<Move | null>(null);
  const held: readonly Move[] = subscription.held === null ? [] : ['release'];
  return (
    <>
      {[...held, ...MOVES[subscription.status]].map((move) => (
        <Button
          key={move}
          danger={move === 'stop'}
          primary={move === 'release'}
          onClick={() => setAsked(move)}
        >
          {T.moves[move].button}
        </Button>
      ))}
      {asked !== null && <Confirm move={asked} id={subscription._id} onClose={() => setAsked(null)} />}
    </>
  );
}

interface ConfirmProps {
  readonly move: Move;
  readonly id: string;
  readonly onClose: () => void;
}

/** Shows the charges of an action before it is taken. */
function Confirm({ move, id, onClose }: ConfirmProps): ReactNode {
  const client = useClient();
  const cache = useQueryClient();
  const params = { path: { id } };
  const making = useMutation({
    mutationFn: () => {
      switch (move) {
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
    <Drawer title={T.moves[move].button} onClose={onClose}>
      <p>{T.moves[move].explains}</p>
      <Trouble error={making.error} />
      <div className="actions">
        <Button
          primary={move !== 'stop'}
          danger={move === 'stop'}
          busy={making.isPending}
          onClick={() => making.mutate()}
        >
          {T.moves[move].button}
        </Button>
        <Button onClick={onClose}>{T.close}</Button>
      </div>
    </Drawer>
  );
}
