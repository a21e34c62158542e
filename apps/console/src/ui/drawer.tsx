import { useEffect, useRef, type ReactNode } from 'react';

import { T } from '../texts';
import { Icon } from './icon';

interface DrawerProps {
  readonly title: string;
  /** Room for two columns, where the screen has it. */
  readonly isWide?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A dialog at the side. The browser keeps the focus in it, closes it on Escape and restores the focus. */
export function Drawer({ title, isWide = false, onClose, children }: DrawerProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    if (dialog.current?.open === false) dialog.current.showModal();
    return () => {
      if (before instanceof HTMLElement || before instanceof SVGElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className={isWide ? 'drawer wide-drawer' : 'drawer'}
      aria-label={title}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div className="drawer-body">
        <div className="card-head">
          <h2>{title}</h2>
          <button type="button" className="ghost" onClick={onClose} aria-label={T.close}>
            <Icon name="close" />
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
}
