import { Suspense, lazy, useEffect, useRef, useState, type ReactNode } from 'react';

import { T } from '../texts';
import { Icon } from '../ui/icon';

const SearchDialog = lazy(() => import('./search-dialog'));

/** Opens the search, also by `/` and by Ctrl or Cmd with K. */
export function SearchButton(): ReactNode {
  /** The number of the open dialog: one that is asked for while the last one closes is another. */
  const [opened, setOpened] = useState<number | null>(null);
  const dialogs = useRef(0);
  const open = (): void => setOpened((dialogs.current += 1));
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (!asksForSearch(event) || document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      open();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);
  return (
    <>
      <button
        type="button"
        className="search-button"
        aria-label={T.search.button}
        aria-keyshortcuts="/ Control+K"
        onClick={open}
      >
        <Icon name="search" />
        <span>{T.search.button}</span>
        <kbd aria-hidden="true">{T.search.keys}</kbd>
      </button>
      {opened !== null && (
        <Suspense>
          <SearchDialog
            key={opened}
            onClose={() => setOpened((current) => (current === opened ? null : current))}
          />
        </Suspense>
      )}
    </>
  );
}

/** A slash that is typed into a field stays there. */
function asksForSearch({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  if (altKey) return false;
  if (ctrlKey || metaKey) return key.toLowerCase() === 'k';
  const isTyped =
    target instanceof HTMLElement &&
    (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));
  return key === '/' && !isTyped;
}
