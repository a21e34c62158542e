import { useState, type ReactNode } from 'react';

import { T } from '../texts';
import { Drawer } from '../ui/drawer';
import { Icon } from '../ui/icon';
import { Button } from '../ui/parts';
import type { CreatedKind } from './kinds';
import { RecordForm, type Saved } from './record-form';

interface CreateButtonProps {
  readonly kind: CreatedKind;
  /** Renders the new record before the form closes; optional. */
  readonly shown?: (record: Saved) => ReactNode;
}

export function CreateButton({ kind, shown }: CreateButtonProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const [made, setMade] = useState<Saved | null>(null);
  const close = (): void => {
    setOpen(false);
    setMade(null);
  };
  return (
    <>
      <Button primary onClick={() => setOpen(true)}>
        <Icon name="plus" />
        {T.forms.new[kind]}
      </Button>
      {isOpen && (
        <Drawer title={T.forms.new[kind]} isWide={kind === 'plans'} onClose={close}>
          {made === null || shown === undefined ? (
            <RecordForm kind={kind} record={null} onDone={shown === undefined ? close : setMade} />
          ) : (
            shown(made)
          )}
        </Drawer>
      )}
    </>
  );
}
