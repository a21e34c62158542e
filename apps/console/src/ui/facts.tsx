import type { ReactNode } from 'react';

interface FactsProps {
  readonly facts: readonly (readonly [name: string, value: ReactNode])[];
}

/** Names and values. */
export function Facts({ facts }: FactsProps): ReactNode {
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
