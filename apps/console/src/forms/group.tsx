import type { ComponentType, ReactNode } from 'react';

import { problemAt, type FieldProps } from './problems';
import { withoutEmpty, type Values } from './values';

interface GroupProps extends FieldProps {
  readonly Input: ComponentType<FieldProps>;
}

/** Fields that belong together, such as an address. Empty fields are left out; without any, the group has no value. */
export function Group({ field, path, value, problems, change, Input }: GroupProps): ReactNode {
  const values = (value ?? {}) as Values;
  const wrong = problemAt(problems, path, field, value);
  return (
    <fieldset className="rows">
      <legend>{field.text.label}</legend>
      {field.text.help !== undefined && <span className="help">{field.text.help}</span>}
      {wrong !== undefined && <span className="wrong">{wrong}</span>}
      <div className="group">
        {field.fields.map((one) => (
          <Input
            key={one.name}
            field={one}
            path={`${path}.${one.name}`}
            value={values[one.name]}
            problems={problems}
            change={(next) => {
              const given = withoutEmpty({ ...values, [one.name]: next });
              change(Object.keys(given).length === 0 ? null : given);
            }}
          />
        ))}
      </div>
    </fieldset>
  );
}
