import { useId, useState, type ReactNode } from 'react';

import type { Filters } from '../../lists/filters/filters';
import { T } from '../../texts';

const ID = /^[0-9a-f]{24}$/;

interface IdFilterProps {
  readonly filters: Filters;
  readonly name: string;
  readonly label: string;
}

/** Narrows a list to the record with an id; an incomplete id narrows nothing yet. */
export function IdFilter({ filters, name, label }: IdFilterProps): ReactNode {
  const id = useId();
  const [text, setText] = useState(filters.of(name));
  const isWrong = text !== '' && !ID.test(text);
  const change = (given: string): void => {
    const value = given.trim().toLowerCase();
    setText(value);
    if (value === '' || ID.test(value)) filters.set(name, value);
  };
  return (
    <div className="filter">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="text"
        value={text}
        spellCheck={false}
        autoComplete="off"
        aria-invalid={isWrong}
        aria-describedby={isWrong ? `${id}-wrong` : undefined}
        onChange={({ target }) => change(target.value)}
      />
      {isWrong && (
        <span id={`${id}-wrong`} className="small bad-text">
          {T.events.wrongId}
        </span>
      )}
    </div>
  );
}
