import { useState, type ReactNode } from 'react';

import { useClient } from '../../app/session';
import type { Subscription } from '../../picture/model';
import { T } from '../../texts';
import { ActionDialog } from '../../ui/action-dialog';
import { Button } from '../../ui/parts';
import { ChangePlan } from './change-plan';
import { Pause } from './pause';
import { Start } from './start';
import { Stop } from './stop';
import { TakeBack } from './take-back';

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
      {asked === 'start' && <Start subscription={subscription} onClose={close} />}
      {asked === 'takeBack' && <TakeBack subscription={subscription} onClose={close} />}
      {asked === 'release' && <Release subscription={subscription} onClose={close} />}
    </>
  );
}

function allowedFor({ status, held, ending_date }: Subscription, now: number): readonly Action[] {
  // A stop that has taken effect is final.
  const isOver = status === 'NON_RENEWING' && Number(ending_date) <= now;
  return [...(held === null ? [] : (['release'] as const)), ...(isOver ? [] : ACTIONS[status])];
}

interface ReleaseProps {
  readonly subscription: Subscription;
  readonly onClose: () => void;
}

function Release({ subscription, onClose }: ReleaseProps): ReactNode {
  const client = useClient();
  const params = { path: { id: subscription._id } };
  return (
    <ActionDialog
      title={T.actions.release.button}
      run={() => client.post('/subscriptions/{id}/release', { params })}
      onClose={onClose}
    >
      <p>{T.actions.release.explains}</p>
    </ActionDialog>
  );
}
