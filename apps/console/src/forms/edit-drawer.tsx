import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';

import { useClient } from '../app/session';
import { T } from '../texts';
import { Drawer } from '../ui/drawer';
import { Button, Trouble } from '../ui/parts';
import { KINDS, type Kind, type KindName } from './kinds';
import { RecordForm, type Saved } from './record-form';

interface EditDrawerProps {
  readonly kind: KindName;
  readonly record: Saved;
  readonly onClose: () => void;
  /** Additional content about the record. */
  readonly children?: ReactNode;
}

/** Shows, changes and deletes one record. */
export function EditDrawer({ kind, record, onClose, children }: EditDrawerProps): ReactNode {
  const { update, remove }: Kind = KINDS[kind];
  const { name, human_id } = record;
  const title = typeof name === 'string' ? name : typeof human_id === 'string' ? human_id : T.unnamed;
  return (
    <Drawer title={title} onClose={onClose}>
      {children}
      <p className="quiet small">
        {T.id} <code>{record._id}</code>
      </p>
      {update !== null && <RecordForm kind={kind} record={record} onDone={onClose} />}
      {remove !== null && <Remove kind={kind} id={record._id} onDone={onClose} />}
    </Drawer>
  );
}

interface RemoveProps {
  readonly kind: KindName;
  readonly id: string;
  readonly onDone: () => void;
}

/** Asks for confirmation: a deleted record stays readable and cannot be restored. */
function Remove({ kind, id, onDone }: RemoveProps): ReactNode {
  const client = useClient();
  const cache = useQueryClient();
  const [isAsked, setAsked] = useState(false);
  const { path }: Kind = KINDS[kind];
  const removing = useMutation({
    mutationFn: (): Promise<unknown> =>
      client.delete(`${path}/{id}` as '/users/{id}', { params: { path: { id } } }),
    onSuccess: async () => {
      await cache.invalidateQueries();
      onDone();
    },
  });
  const text = T.forms.delete;
  if (!isAsked) {
    return (
      <div>
        <Button danger onClick={() => setAsked(true)}>
          {text.button}
        </Button>
      </div>
    );
  }
  return (
    <div className="form">
      <p>{text.sure}</p>
      <Trouble error={removing.error} />
      <div className="actions">
        <Button danger busy={removing.isPending} onClick={() => removing.mutate()}>
          {text.confirm}
        </Button>
        <Button onClick={() => setAsked(false)}>{T.forms.keep}</Button>
      </div>
    </div>
  );
}
