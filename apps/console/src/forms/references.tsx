import { useId, useState, type KeyboardEvent, type ReactNode } from 'react';

import { T } from '../texts';
import { problemAt, type FieldProps } from './problems';
import { useRecordChoices, type RecordChoice } from '../lists/record-choices';

const ID = /^[0-9a-f]{24}$/;

/** Several records, each a chip with its name. The newest hundred are offered; the id of any other can be typed. */
export function References({ field, path, value, problems, change }: FieldProps): ReactNode {
  const id = useId();
  const options = useRecordChoices(field.name);
  const chosen = Array.isArray(value) ? (value as readonly string[]) : [];
  const wrong = problemAt(problems, path, field, value);
  const set = (ids: readonly string[]): void => change(ids.length === 0 ? null : ids);
  return (
    <div className="field">
      <label htmlFor={id}>{field.text.label}</label>
      {chosen.length > 0 && (
        <ul className="chips">
          {chosen.map((one) => (
            <Chip
              key={one}
              name={options.find((option) => option.id === one)?.name ?? one}
              onRemove={() => set(chosen.filter((other) => other !== one))}
            />
          ))}
        </ul>
      )}
      <Picker
        id={id}
        options={options.filter((one) => !chosen.includes(one.id))}
        placeholder={chosen.length === 0 ? field.text.empty : undefined}
        isWrong={wrong !== undefined}
        onPick={(one) => set([...chosen.filter((other) => other !== one), one])}
      />
      <span id={`${id}-help`} className="help">
        {[field.text.help, T.forms.pickSeveral].filter((text) => text !== undefined).join(' ')}
      </span>
      {wrong !== undefined && (
        <span id={`${id}-wrong`} className="wrong">
          {wrong}
        </span>
      )}
    </div>
  );
}

interface PickerProps {
  readonly id: string;
  readonly options: readonly RecordChoice[];
  readonly placeholder: string | undefined;
  readonly isWrong: boolean;
  readonly onPick: (id: string) => void;
}

/** Picks one record after the other: a choice from the list at once, a typed text with Enter. */
function Picker({ id, options, placeholder, isWrong, onPick }: PickerProps): ReactNode {
  const [typed, setTyped] = useState('');
  const take = (text: string, picked: string | undefined): void => {
    setTyped(picked === undefined ? text : '');
    if (picked !== undefined) onPick(picked);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || typed === '') return;
    // The form is not sent yet.
    event.preventDefault();
    take(typed, meantBy(typed, options));
  };
  return (
    <>
      <input
        id={id}
        type="text"
        list={`${id}-list`}
        spellCheck={false}
        autoComplete="off"
        placeholder={placeholder}
        aria-invalid={isWrong}
        aria-describedby={isWrong ? `${id}-help ${id}-wrong` : `${id}-help`}
        value={typed}
        onChange={({ target: { value } }) => take(value, options.find(({ name }) => name === value)?.id)}
        onKeyDown={press}
      />
      <datalist id={`${id}-list`}>
        {options.map((one) => (
          <option key={one.id} value={one.name} />
        ))}
      </datalist>
    </>
  );
}

interface ChipProps {
  readonly name: string;
  readonly onRemove: () => void;
}

function Chip({ name, onRemove }: ChipProps): ReactNode {
  return (
    <li>
      <span>{name}</span>
      <button type="button" aria-label={T.forms.removeOne(name)} onClick={onRemove}>
        ×
      </button>
    </li>
  );
}

/** The record that a text names: by its id, or as the only one whose name contains it. */
function meantBy(text: string, options: readonly RecordChoice[]): string | undefined {
  if (ID.test(text)) return text;
  const wanted = text.toLowerCase();
  const [found, ...others] = options.filter(({ name }) => name.toLowerCase().includes(wanted));
  return others.length > 0 ? undefined : found?.id;
}
