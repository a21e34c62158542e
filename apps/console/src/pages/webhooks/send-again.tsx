import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { CommerceClient } from 'commerce-service-client';
import type { ReactNode } from 'react';

import { useClient } from '../../app/session';
import { T } from '../../texts';
import { Button, Trouble } from '../../ui/parts';
import type { Delivery } from './webhooks';

/** How often and how long the outcome of an attempt is asked for; an attempt takes ten seconds at most. */
const ASK_MS = 500;
const ASKS = 40;

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
  for (let asked = 0; asked < ASKS; asked += 1) {
    const delivery = await client.get('/deliveries/{id}', { params });
    if (numberOf(delivery) > last) return delivery;
    await new Promise((resolve) => setTimeout(resolve, ASK_MS));
  }
  return null;
}

function numberOf({ attempts }: Delivery): number {
  return attempts.at(-1)?.number ?? 0;
}

function outcomeOf(delivery: Delivery | null): string {
  const attempt = delivery?.attempts.at(-1);
  if (delivery === null || attempt === undefined) return T.webhooks.outcome.late;
  const { status, error, duration_ms: took } = attempt;
  if (status === null) return T.webhooks.outcome.none(error ?? T.none);
  return isAccepted(status)
    ? T.webhooks.outcome.accepted(status, took)
    : T.webhooks.outcome.refused(status, took);
}

function toneOf(delivery: Delivery | null | undefined): string {
  if (delivery == null) return 'quiet';
  const status = delivery.attempts.at(-1)?.status ?? null;
  return status !== null && isAccepted(status) ? 'fine' : 'alert';
}

function isAccepted(status: number): boolean {
  return status >= 200 && status < 300;
}
