import type { ReactNode } from 'react';

/** What an action will do, line by line; a screen reader hears it again when it changes. */
export function Outcome({ lines }: { readonly lines: readonly string[] }): ReactNode {
  return (
    <div role="status">
      <ul className="outcome">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  );
}
