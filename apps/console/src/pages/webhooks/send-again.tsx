import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { CommerceClient } from 'commerce-service-client';
import type { ReactNode } from 'react';

import { useClient } from '../../app/session';
import { T } from '../../texts';
import { Button, Trouble } from '../../ui/parts';
import { outcomeOf, repeatedly, toneOf } from './attempt-outcome';
import type { Delivery } from './model';

interface SendAgainProps {
  readonly delivery: Delivery;
  /** Called with the delivery after the attempt. */
  readonly onSent: (delivery: Delivery) => void;
}

/** Sends a delivery again and shows what came of it. */
export function SendAgain({ delivery, onSent }: SendAgainProps): ReactNode {
  const client = useClient();
  const cache = useQueryClient();
  const { _id, event } = delivery;
  const retry = useMutation({
    mutationFn: () => sentAgain(client, delivery),
    onSuccess: (after) => {
      if (after !== null) onSent(after);
      return cache.invalidateQueries();
    },
  });
  const replay = useMutation({
    mutationFn: () => client.post('/events/{id}/replay', { params: { path: { id: event } } }),
    onSuccess: () => cache.invalidateQueries(),
  });
  return (
    <>
      <div className="actions">
        <Button
          primary
          busy={retry.isPending}
          onClick={() => retry.mutate()}
          aria-describedby={`${_id}-sent`}
        >
          {T.webhooks.retry}
        </Button>
        <Button busy={replay.isPending} onClick={() => replay.mutate()}>
          {T.webhooks.replay}
        </Button>
      </div>
      <p id={`${_id}-sent`} role="status" className={toneOf(retry.data)}>
        {retry.isPending && T.webhooks.sending}
        {retry.isSuccess && outcomeOf(retry.data)}
        {!retry.isPending && !retry.isSuccess && replay.isSuccess && T.webhooks.replayed(replay.data.length)}
      </p>
      <Trouble error={retry.error ?? replay.error} />
    </>
  );
}

/** Requests one more attempt and waits for it; null where it was not made in time. */
async function sentAgain(client: CommerceClient, before: Delivery): Promise<Delivery | null> {
  const params = { path: { id: before._id } };
  const last = numberOf(before);
  await client.post('/deliveries/{id}/retry', { params });
  return repeatedly(async () => {
    const delivery = await client.get('/deliveries/{id}', { params });
    return numberOf(delivery) > last ? delivery : null;
  });
}

function numberOf({ attempts }: Delivery): number {
  return attempts.at(-1)?.number ?? 0;
}
