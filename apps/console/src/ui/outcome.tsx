import type { ReactNode } from 'react';

/** The effects of an action, line by line; a screen reader announces each change. */
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
