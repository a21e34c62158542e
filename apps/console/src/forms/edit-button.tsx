import { useState, type ReactNode } from 'react';

import { T } from '../texts';
import { Button } from '../ui/parts';
import { EditDrawer } from './edit-drawer';
import type { KindName } from './kinds';

interface EditButtonProps {
  readonly kind: KindName;
  readonly record: { readonly _id: string };
  readonly label?: string;
}

export function EditButton({ kind, record, label = T.forms.change }: EditButtonProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{label}</Button>
      {isOpen && <EditDrawer kind={kind} record={{ ...record }} onClose={() => setOpen(false)} />}
    </>
  );
}
