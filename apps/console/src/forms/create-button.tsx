import { useState, type ReactNode } from 'react';

import { T } from '../texts';
import { Drawer } from '../ui/drawer';
import { Icon } from '../ui/icon';
import { Button } from '../ui/parts';
import type { KindName } from './kinds';
import { RecordForm } from './record-form';

export function CreateButton({ kind }: { readonly kind: KindName }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <>
      <Button primary onClick={() => setOpen(true)}>
        <Icon name="plus" />
        {T.forms.new[kind]}
      </Button>
      {isOpen && (
        <Drawer title={T.forms.new[kind]} onClose={close}>
          <RecordForm kind={kind} record={null} onDone={close} />
        </Drawer>
      )}
    </>
  );
}
