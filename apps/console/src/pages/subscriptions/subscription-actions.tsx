import { useState, type ReactNode } from 'react';

import { day } from '../../app/format';
import { useClient } from '../../app/session';
import type { Subscription } from '../../picture/model';
import { T } from '../../texts';
import { ActionDialog } from '../../ui/action-dialog';
import { Outcome } from '../../ui/outcome';
import { Button } from '../../ui/parts';
import { ChangePlan } from './change-plan';
import { Pause } from './pause';
import { Stop } from './stop';

type Action = 'change' | 'start' | 'takeBack' | 'pause' | 'stop' | 'release';

const ACTIONS: Readonly<Record<Subscription['status'], readonly Action[]>> = {
  CREATED: ['change', 'start'],
  FUTURE: ['change', 'stop'],
  ACTIVE: ['change', 'pause', 'stop'],
  PAUSED: ['change', 'start', 'stop'],
  NON_RENEWING: ['takeBack'],
  COMPLETED: [],
  CANCELLED: [],
};

interface ActionsProps {
  readonly subscription: Subscription;
  /** The time of the customer, which a test clock may have moved. */
  readonly now: number;
}

/** The actions that a subscription's state allows; the service makes the final decision. */
export function SubscriptionActions({ subscription, now }: ActionsProps): ReactNode {
  const [asked, setAsked] = useState<Action | null>(null);
  const close = (): void => setAsked(null);
  return (
    <>
      {allowedFor(subscription, now).map((action) => (
        <Button
          key={action}
          danger={action === 'stop'}
          primary={action === 'release' || action === 'takeBack'}
          onClick={() => setAsked(action)}
        >
          {action === 'change' ? T.changePlan.button : T.actions[action].button}
        </Button>
      ))}
      {asked === 'change' && <ChangePlan subscription={subscription} onClose={close} />}
      {asked === 'stop' && <Stop subscription={subscription} onClose={close} />}
      {asked === 'pause' && <Pause subscription={subscription} onClose={close} />}
      {(asked === 'start' || asked === 'takeBack' || asked === 'release') && (
        <Confirm action={asked} subscription={subscription} onClose={close} />
      )}
    </>
  );
}

function allowedFor({ status, held, ending_date }: Subscription, now: number): readonly Action[] {
  // A stop that has taken effect is final.
  const isOver = status === 'NON_RENEWING' && Number(ending_date) <= now;
  return [...(held === null ? [] : (['release'] as const)), ...(isOver ? [] : ACTIONS[status])];
}

interface ConfirmProps {
  readonly action: 'start' | 'takeBack' | 'release';
  readonly subscription: Subscription;
  readonly onClose: () => void;
}

function Confirm({ action, subscription, onClose }: ConfirmProps): ReactNode {
  const client = useClient();
  const params = { path: { id: subscription._id } };
  const run = (): Promise<unknown> => {
    switch (action) {
      case 'start':
      case 'takeBack':
        return client.post('/subscriptions/{id}/start', { params, body: {} });
      case 'release':
        return client.post('/subscriptions/{id}/release', { params });
    }
  };
  return (
    <ActionDialog title={T.actions[action].button} run={run} onClose={onClose}>
      {action === 'takeBack' ? (
        <Outcome lines={takenBack(subscription)} />
      ) : (
        <p>{T.actions[action].explains}</p>
      )}
    </ActionDialog>
  );
}

/** The future of a subscription whose stop is taken back. */
function takenBack({ ending_date, current_billing_date_period_end: end }: Subscription): string[] {
  return [
    T.actions.takeBack.noEnd(day(ending_date)),
    T.actions.takeBack.noCharge,
    ...(end === null ? [] : [T.actions.takeBack.next(day(end))]),
  ];
}
