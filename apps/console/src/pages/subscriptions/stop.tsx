import { useState, type ReactNode } from 'react';

import { day } from '../../app/format';
import { useClient } from '../../app/session';
import type { Subscription } from '../../picture/model';
import { T } from '../../texts';
import { ActionDialog } from '../../ui/action-dialog';
import { ActionPreview } from './action-preview';

type When = keyof typeof T.stop.times;

interface StopProps {
  readonly subscription: Subscription;
  readonly onClose: () => void;
}

/** Stops a subscription, after what that charges and gives back, and when it ends. */
export function Stop({ subscription, onClose }: StopProps): ReactNode {
  const client = useClient();
  const times = timesOf(subscription);
  const [when, setWhen] = useState<When>(times[0] ?? 'now');
  const [date, setDate] = useState('');
  const at = dateOf(subscription, when, date);
  const params = { path: { id: subscription._id } };
  const body = at === 'now' || at === null ? {} : { ending_date: at };
  return (
    <ActionDialog
      title={T.actions.stop.button}
      danger
      isReady={at !== null}
      run={() => client.post('/subscriptions/{id}/stop', { params, body })}
      onClose={onClose}
    >
      {times.length > 1 && (
        <label className="field">
          <span>{T.stop.when}</span>
          <select value={when} onChange={({ target }) => setWhen(times[target.selectedIndex] ?? 'now')}>
            {times.map((one) => (
              <option key={one} value={one}>
                {one === 'period_end' ? T.stop.times[one](day(endOf(subscription))) : T.stop.times[one]}
              </option>
            ))}
          </select>
        </label>
      )}
      {when === 'date' && (
        <label className="field">
          <span>{T.date}</span>
          <input type="date" required value={date} onChange={({ target }) => setDate(target.value)} />
        </label>
      )}
      <ActionPreview
        subscription={subscription}
        asked={at === null ? null : { stop: at }}
        lines={({ ending_date, status, active }) => {
          if (status === 'CANCELLED') return [T.stop.cancelled];
          return active
            ? [T.stop.endsOn(day(ending_date)), T.stop.canReturn]
            : [T.stop.endsNow, T.stop.final];
        }}
      />
    </ActionDialog>
  );
}

/** The end of the current period or of the trial. */
function endOf({ current_billing_date_period_end, trial_ending_date }: Subscription): Date | null {
  return current_billing_date_period_end ?? trial_ending_date;
}

/** The mildest first. Where no period runs, it can end now only. */
function timesOf(subscription: Subscription): readonly When[] {
  if (subscription.status !== 'ACTIVE') return ['now'];
  return endOf(subscription) === null ? ['now', 'date'] : ['period_end', 'now', 'date'];
}

/** Null while there is no date. */
function dateOf(subscription: Subscription, when: When, date: string): 'now' | number | null {
  switch (when) {
    case 'now':
      return 'now';
    case 'period_end':
      return Number(endOf(subscription));
    case 'date':
      return date === '' ? null : Date.parse(date);
  }
}
