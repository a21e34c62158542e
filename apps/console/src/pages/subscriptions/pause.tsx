import { useState, type ReactNode } from 'react';

import { day } from '../../app/format';
import { useClient } from '../../app/session';
import type { Subscription } from '../../picture/model';
import { T } from '../../texts';
import { ActionDialog } from '../../ui/action-dialog';
import { ActionPreview } from './action-preview';

interface PauseProps {
  readonly subscription: Subscription;
  readonly onClose: () => void;
}

/** Pauses a subscription, for good or until a date, after what that charges and gives back. */
export function Pause({ subscription, onClose }: PauseProps): ReactNode {
  const client = useClient();
  const [date, setDate] = useState('');
  const until = date === '' ? {} : { resume_at: Date.parse(date) };
  const params = { path: { id: subscription._id } };
  return (
    <ActionDialog
      title={T.actions.pause.button}
      run={() => client.post('/subscriptions/{id}/pause', { params, body: until })}
      onClose={onClose}
    >
      <label className="field">
        <span>{T.pause.until}</span>
        <input type="date" value={date} onChange={({ target }) => setDate(target.value)} />
        <span className="help">{T.pause.untilHelp}</span>
      </label>
      <ActionPreview
        subscription={subscription}
        asked={{ pause: 'now', ...until }}
        lines={({ resume_at }) => [
          T.pause.rests,
          resume_at === null ? T.pause.openEnded : T.pause.resumes(day(resume_at)),
        ]}
      />
    </ActionDialog>
  );
}
