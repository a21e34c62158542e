import { useState, type ReactNode } from 'react';

import { T } from '../texts';
import { Button } from '../ui/parts';
import { EditDrawer } from './edit-drawer';
import type { KindName } from './kinds';

interface EditButtonProps {
  readonly kind: KindName;
  readonly record: { readonly _id: string };
  readonly label?: string;
  readonly isPrimary?: boolean;
}

export function EditButton(props: EditButtonProps): ReactNode {
  const { kind, record, label = T.forms.change, isPrimary = false } = props;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button primary={isPrimary} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && <EditDrawer kind={kind} record={{ ...record }} onClose={() => setOpen(false)} />}
    </>
  );
}
