import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { T } from '../texts';
import { Drawer } from './drawer';
import { Button, Trouble } from './parts';

interface ActionDialogProps {
  readonly title: string;
  /** The text of the button that acts; the title unless given. */
  readonly confirm?: string;
  readonly danger?: boolean;
  /** False while the action's fields or its preview are incomplete. */
  readonly isReady?: boolean;
  readonly run: () => Promise<unknown>;
  readonly onClose: () => void;
  /** The fields of the action, and what it will do. */
  readonly children: ReactNode;
}

/** Asks before an action; closes after it, with all data read again. */
export function ActionDialog(props: ActionDialogProps): ReactNode {
  const { title, confirm = title, danger = false, isReady = true, run, onClose, children } = props;
  const cache = useQueryClient();
  const acting = useMutation({
    mutationFn: run,
    onSuccess: async () => {
      await cache.invalidateQueries();
      onClose();
    },
  });
  return (
    <Drawer title={title} onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) acting.mutate();
        }}
      >
        {children}
        <Trouble error={acting.error} labels={T.dateNames} />
        <div className="actions">
          <Button primary={!danger} danger={danger} type="submit" disabled={!isReady} busy={acting.isPending}>
            {confirm}
          </Button>
          <Button onClick={onClose}>{T.forms.notNow}</Button>
        </div>
      </form>
    </Drawer>
  );
}
