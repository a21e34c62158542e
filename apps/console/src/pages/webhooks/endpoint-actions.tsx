import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { CommerceClient } from 'commerce-service-client';
import type { ReactNode } from 'react';

import { useClient } from '../../app/session';
import { EditButton } from '../../forms/edit-button';
import { T } from '../../texts';
import { Button, Trouble } from '../../ui/parts';
import { outcomeOf, repeatedly, toneOf } from './attempt-outcome';
import type { Delivery, Webhook } from './model';

/** Deliveries in which that of the test event is looked for. */
const NEWEST = 20;

/** Tries an endpoint, or asks one that has not confirmed yet; each shows what came of it. */
export function EndpointActions({ webhook }: { readonly webhook: Webhook }): ReactNode {
  const client = useClient();
  const cache = useQueryClient();
  const onSuccess = (): Promise<void> => cache.invalidateQueries();
  const simulate = useMutation({ mutationFn: () => simulated(client, webhook), onSuccess });
  const verify = useMutation({
    mutationFn: () => client.post('/webhooks/{id}/verify', { params: { path: { id: webhook._id } } }),
    onSuccess,
  });
  const run = (one: typeof simulate | typeof verify, other: typeof simulate | typeof verify): void => {
    other.reset();
    one.mutate();
  };
  return (
    <>
      <Button primary busy={simulate.isPending} onClick={() => run(simulate, verify)}>
        {T.webhooks.simulate}
      </Button>
      {!webhook.verified && (
        <Button busy={verify.isPending} onClick={() => run(verify, simulate)}>
          {T.webhooks.verify}
        </Button>
      )}
      <EditButton kind="webhooks" record={webhook} />
      <p
        className={`head-outcome ${verify.isSuccess ? confirmedTone(verify.data) : toneOf(simulate.data)}`}
        role="status"
      >
        {simulate.isPending && T.webhooks.sending}
        {simulate.isSuccess && outcomeOf(simulate.data)}
        {verify.isPending && T.webhooks.asking}
        {verify.isSuccess && (verify.data.verified ? T.webhooks.confirmed : T.webhooks.notConfirmed)}
      </p>
      <Trouble error={simulate.error ?? verify.error} />
    </>
  );
}

function confirmedTone({ verified }: Pick<Webhook, 'verified'>): string {
  return verified ? 'fine' : 'alert';
}

/** Sends a test event and waits for its attempt; null where it was not made in time. */
async function simulated(client: CommerceClient, { _id: id }: Webhook): Promise<Delivery | null> {
  const params = { path: { id } };
  const newest = (): Promise<Delivery[]> =>
    client.get('/webhooks/{id}/deliveries', { params: { ...params, query: { size: NEWEST } } });
  const known = new Set((await newest()).map(({ _id }) => _id));
  await client.post('/webhooks/{id}/simulate', { params });
  return repeatedly(async () => {
    const added = (await newest()).filter(({ _id }) => !known.has(_id));
    return added.find(({ attempts }) => attempts.length > 0) ?? null;
  });
}
