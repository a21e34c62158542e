import { useEffect, useId, useState, type ReactNode } from 'react';

import { T } from '../texts';
import { Button } from '../ui/parts';
import { Choices } from './choices';
import { Group } from './group';
import { problemAt, type FieldProps } from './problems';
import { useRecordChoices } from '../lists/record-choices';
import { References } from './references';
import type { Field } from './schema';
import { read, write, type Values } from './values';

/** One field with the service's rule and the service's error message. */
export function FieldInput(props: FieldProps): ReactNode {
  const { field } = props;
  const id = useId();
  if (field.input === 'rows') return <Rows {...props} />;
  if (field.input === 'choices') return <Choices {...props} />;
  if (field.input === 'references') return <References {...props} />;
  if (field.input === 'group') return <Group {...props} Input={FieldInput} />;
  const wrong = problemAt(props.problems, props.path, field, props.value);
  const help = helpOf(field);
  const described = [help === undefined ? '' : `${id}-help`, wrong === undefined ? '' : `${id}-wrong`]
    .join(' ')
    .trim();
  const common = {
    id,
    'aria-invalid': wrong !== undefined,
    'aria-describedby': described === '' ? undefined : described,
    'aria-required': field.isRequired,
  };
  return (
    <div className={field.input === 'flag' ? 'field flag' : 'field'}>
      <label htmlFor={id}>
        {field.text.label}
        {field.isRequired && <span className="bad-text"> {T.forms.required}</span>}
      </label>
      <Control {...props} common={common} />
      {help !== undefined && (
        <span id={`${id}-help`} className="help">
          {help}
        </span>
      )}
      {wrong !== undefined && (
        <span id={`${id}-wrong`} className="wrong">
          {wrong}
        </span>
      )}
    </div>
  );
}

/** The help text of a field. Fractions between 0 and 1 are entered as percentages. */
function helpOf({ input, text: { help } }: Field): string | undefined {
  if (input !== 'percent') return help;
  return help === undefined ? T.forms.percent : `${T.forms.percent} ${help}`;
}

interface ControlProps extends FieldProps {
  readonly common: object;
}

function Control({ field, value, change, common }: ControlProps): ReactNode {
  const { schema, input } = field;
  const text = write(field, value);
  const typed = ({ target }: { readonly target: { readonly value: string } }): void =>
    change(read(field, target.value));
  switch (input) {
    case 'choice':
      return (
        <select {...common} value={text === '' ? write(field, schema.default) : text} onChange={typed}>
          {schema.default === undefined && (
            <option value="">{field.isRequired ? T.forms.choose : (field.text.empty ?? T.none)}</option>
          )}
          {withChosen(schema.enum ?? [], text).map((one) => (
            <option key={one} value={one}>
              {field.text.choices?.[one] ?? one}
            </option>
          ))}
        </select>
      );
    case 'flag':
      return (
        <input
          {...common}
          type="checkbox"
          checked={(value ?? schema.default ?? field.text.standard) === true}
          onChange={({ target }) => change(target.checked)}
        />
      );
    case 'reference':
      return <Reference {...{ field, text, change, common }} />;
    case 'json':
      return <textarea {...common} rows={4} defaultValue={text} onBlur={typed} />;
    case 'date':
      return <input {...common} type="datetime-local" value={text} onChange={typed} />;
    case 'number':
    case 'percent':
      return <NumberControl {...{ field, value, text, change, common }} />;
    case 'rows':
    case 'choices':
    case 'references':
    case 'group':
    case 'texts':
    case 'text':
      return <TextControl {...{ field, text, typed, common }} />;
  }
}

/** A value that was set elsewhere stays among the choices. */
function withChosen(values: readonly string[], chosen: string): readonly string[] {
  return chosen === '' || values.includes(chosen) ? values : [chosen, ...values];
}

interface TextControlProps {
  readonly field: Field;
  readonly text: string;
  readonly typed: (event: { readonly target: { readonly value: string } }) => void;
  readonly common: object;
}

/** Parses a list when its input loses the focus: earlier, its last comma would vanish. */
function TextControl({ field, text, typed, common }: TextControlProps): ReactNode {
  const placeholder = placeholderOf(field);
  if (field.input === 'texts') {
    return <input {...common} type="text" placeholder={placeholder} defaultValue={text} onBlur={typed} />;
  }
  return <input {...common} type="text" placeholder={placeholder} value={text} onChange={typed} />;
}

interface NumberControlProps {
  readonly field: Field;
  readonly value: unknown;
  readonly text: string;
  readonly change: (value: unknown) => void;
  readonly common: object;
}

/** Keeps the typed text while it has the same value: 7.0 on the way to 7.05 must not become 7. */
function NumberControl({ field, value, text, change, common }: NumberControlProps): ReactNode {
  const [typed, setTyped] = useState(text);
  return (
    <input
      {...common}
      type="number"
      step="any"
      placeholder={placeholderOf(field)}
      value={read(field, typed) === value ? typed : text}
      onChange={({ target }) => {
        setTyped(target.value);
        change(read(field, target.value));
      }}
    />
  );
}

/** Names the default that an empty field stands for. */
function placeholderOf(field: Field): string | undefined {
  const { default: standard } = field.schema;
  if (typeof standard === 'number') return write(field, standard);
  return field.text.empty ?? (typeof standard === 'string' && standard !== '' ? standard : undefined);
}

interface ReferenceProps {
  readonly field: Field;
  readonly text: string;
  readonly change: (value: unknown) => void;
  readonly common: object;
}

/**
 * Offers the newest hundred records by name; the id of any other can be typed. A text that names none of them becomes
 * the value when the field is left or the form is sent: earlier, each half of a name would be refused.
 */
function Reference({ field, text, change, common }: ReferenceProps): ReactNode {
  const list = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const options = useRecordChoices(field.name);
  const named = options.find(({ name }) => name === (typed ?? text))?.id;
  useEffect(() => {
    // The choices may arrive after the name was typed.
    if (named !== undefined && named !== text) change(named);
  });
  const finish = (): void => {
    if (typed !== null && named === undefined) change(read(field, typed));
    setTyped(null);
  };
  return (
    <>
      <input
        {...common}
        type="text"
        list={list}
        spellCheck={false}
        autoComplete="off"
        placeholder={field.text.empty}
        value={typed ?? options.find(({ id }) => id === text)?.name ?? text}
        onChange={({ target: { value } }) => {
          setTyped(value);
          if (value === '') change(null);
        }}
        onBlur={finish}
        onKeyDown={({ key }) => {
          if (key === 'Enter') finish();
        }}
      />
      <datalist id={list}>
        {options.map(({ id, name }) => (
          <option key={id} value={name} />
        ))}
      </datalist>
    </>
  );
}

/** The items of an order or a plan. */
function Rows({ field, path, value, problems, change }: FieldProps): ReactNode {
  const rows = Array.isArray(value) ? (value as readonly Values[]) : [];
  const replace = (index: number, row: Values): void =>
    change(rows.map((one, at) => (at === index ? row : one)));
  const wrong = problemAt(problems, path, field, value);
  return (
    <fieldset className="rows">
      <legend>{field.text.label}</legend>
      {field.text.help !== undefined && <span className="help">{field.text.help}</span>}
      {wrong !== undefined && <span className="wrong">{wrong}</span>}
      {rows.map((row, index) => (
        <div key={String(index)} className="row">
          {field.fields.map((one) => (
            <FieldInput
              key={one.name}
              field={one}
              path={`${path}.${String(index)}.${one.name}`}
              value={row[one.name]}
              problems={problems}
              change={(next) => replace(index, { ...row, [one.name]: next })}
            />
          ))}
          <Button onClick={() => change(rows.filter((_, at) => at !== index))}>{T.forms.removeRow}</Button>
        </div>
      ))}
      <Button onClick={() => change([...rows, {}])}>{T.forms.addRow}</Button>
    </fieldset>
  );
}
