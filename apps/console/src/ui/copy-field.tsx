import { useId, useRef, useState, type ReactNode } from 'react';

import { T } from '../texts';
import { Button } from './parts';

interface CopyFieldProps {
  readonly label: string;
  readonly text: string;
  /** Stands below the field until the text is copied. */
  readonly help?: string;
}

/** A text to copy. */
export function CopyField({ label, text, help }: CopyFieldProps): ReactNode {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    // Where the browser restricts its clipboard to secure pages, the text is at least selected.
    field.current?.select();
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="secret">
        <input
          ref={field}
          id={id}
          type="text"
          readOnly
          value={text}
          onFocus={(event) => event.target.select()}
        />
        <Button primary onClick={() => void copy().catch(() => undefined)}>
          {T.keys.copy}
        </Button>
      </div>
      <span className="quiet small" role="status">
        {isCopied ? T.keys.copied : help}
      </span>
    </div>
  );
}
