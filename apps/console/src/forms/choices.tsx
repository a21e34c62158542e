import { useId, type ReactNode } from 'react';

import { problemAt, type FieldProps } from './problems';

/** Several values of a list, each with a box. */
export function Choices({ field, path, value, problems, change }: FieldProps): ReactNode {
  const id = useId();
  const chosen = Array.isArray(value) ? (value as readonly unknown[]) : [];
  const all = field.schema.items?.enum ?? [];
  const wrong = problemAt(problems, path, field, value);
  const toggle = (one: string, isChosen: boolean): void => {
    const next = all.filter((name) => (name === one ? isChosen : chosen.includes(name)));
    change(next.length === 0 ? null : next);
  };
  return (
    <fieldset className="rows" aria-describedby={wrong === undefined ? undefined : id}>
      <legend>{field.text.label}</legend>
      {field.text.help !== undefined && <span className="help">{field.text.help}</span>}
      {wrong !== undefined && (
        <span id={id} className="wrong">
          {wrong}
        </span>
      )}
      <div className="choices">
        {all.map((one) => (
          <label key={one} className="check">
            <input
              type="checkbox"
              checked={chosen.includes(one)}
              onChange={({ target }) => toggle(one, target.checked)}
            />
            <span>{field.text.choices?.[one] ?? one}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
