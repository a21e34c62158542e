import type { ReactNode } from 'react';

interface FactsProps {
  readonly isNarrow?: boolean;
  readonly facts: readonly (readonly [name: string, value: ReactNode])[];
}

/** Names and values. */
export function Facts({ facts, isNarrow = false }: FactsProps): ReactNode {
  return (
    <dl className={isNarrow ? 'facts narrow-facts' : 'facts'}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
