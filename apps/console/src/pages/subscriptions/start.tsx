import { useState, type ReactNode } from 'react';

import { day } from '../../app/format';
import { useClient } from '../../app/session';
import type { Subscription } from '../../picture/model';
import { T } from '../../texts';
import { ActionDialog } from '../../ui/action-dialog';
import { ActionPreview, type Previewed } from './action-preview';

const CALENDARS = ['keep', 'anew'] as const;
type Calendar = (typeof CALENDARS)[number];

interface StartProps {
  readonly subscription: Subscription;
  readonly onClose: () => void;
}

/** Starts a new subscription, now or on a date, or resumes a paused one, after what that charges. */
export function Start({ subscription, onClose }: StartProps): ReactNode {
  const client = useClient();
  const { starting_date, payment_method, status } = subscription;
  const [date, setDate] = useState('');
  const [calendar, setCalendar] = useState<Calendar>('keep');
  const at = date === '' ? null : Date.parse(date);
  const reanchor = calendar === 'anew' ? { reanchor: true } : {};
  const params = { path: { id: subscription._id } };
  const body = { ...(at === null ? {} : { starting_date: at }), ...reanchor };
  return (
    <ActionDialog
      title={T.actions.start.button}
      run={() => client.post('/subscriptions/{id}/start', { params, body })}
      onClose={onClose}
    >
      {status === 'CREATED' && (
        <label className="field">
          <span>{T.start.begins}</span>
          <input type="date" value={date} onChange={({ target }) => setDate(target.value)} />
          <span className="help">
            {starting_date === null ? T.start.beginsHelp : T.start.beginsThen(day(starting_date))}
          </span>
        </label>
      )}
      {status === 'PAUSED' && <CalendarField value={calendar} onChange={setCalendar} />}
      <ActionPreview
        subscription={subscription}
        asked={{ start: at ?? 'now', ...reanchor }}
        lines={(action) =>
          status === 'PAUSED'
            ? [T.start.goesOn, ...endOf(action)]
            : [
                beginningOf(action, at ?? starting_date),
                ...trialOf(action),
                ...endOf(action),
                ...(payment_method === null ? [T.start.noCard] : []),
              ]
        }
      />
    </ActionDialog>
  );
}

interface CalendarFieldProps {
  readonly value: Calendar;
  readonly onChange: (value: Calendar) => void;
}

/** Whether a resumed subscription keeps its dates or gets new ones. */
function CalendarField({ value, onChange }: CalendarFieldProps): ReactNode {
  return (
    <label className="field">
      <span>{T.start.dates}</span>
      <select value={value} onChange={({ target }) => onChange(CALENDARS[target.selectedIndex] ?? 'keep')}>
        {CALENDARS.map((one) => (
          <option key={one} value={one}>
            {T.start.calendars[one]}
          </option>
        ))}
      </select>
    </label>
  );
}

function beginningOf({ status }: Previewed, date: Date | number | null): string {
  return status === 'FUTURE' && date !== null ? T.start.later(day(date)) : T.start.now;
}

function trialOf({ trial_ending_date }: Previewed): string[] {
  return trial_ending_date === null ? [] : [T.start.trial(day(trial_ending_date))];
}

function endOf({ ending_date }: Previewed): string[] {
  return ending_date === null ? [] : [T.start.ends(day(ending_date))];
}
