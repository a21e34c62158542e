import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CommerceProblem } from 'commerce-service-client';
import { useState, type ReactNode, type SubmitEvent } from 'react';

import { useClient } from '../app/session';
import { T } from '../texts';
import { Button, Trouble } from '../ui/parts';
import { FieldInput } from './field-input';
import { KINDS, type Kind, type KindName } from './kinds';
import { PlanPreview } from './plan/plan-preview';
import { problemsOf } from './problems';
import { fieldsOfBody, type Field } from './schema';
import { usePlanPreview } from './plan/use-plan-preview';
import { withoutEmpty, type Values } from './values';

export type Saved = { readonly _id: string } & Values;

interface RecordFormProps {
  readonly kind: KindName;
  /** The record to change; null creates one. */
  readonly record: Saved | null;
  /** Receives the saved record. */
  readonly onDone: (saved: Saved) => void;
}

/** Creates or changes a record, by the fields and rules that the service describes. */
export function RecordForm({ kind, record, onDone }: RecordFormProps): ReactNode {
  const { create, update, fields: first, isPart = false }: Kind = KINDS[kind];
  const fields = fieldsOfBody(record === null ? create : (update ?? ''), kind);
  const [touched, setTouched] = useState<Values>({});
  const [quantity, setQuantity] = useState(1);
  const isPlan = kind === 'plans' && record === null;
  const preview = usePlanPreview(touched, quantity, isPlan);
  const saving = useSaving(kind, record, onDone);
  const refused = saving.error instanceof CommerceProblem ? problemsOf(saving.error) : {};
  const problems = { ...refused, ...preview.problems };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    saving.mutate(touched);
  };
  const show = (field: Field): ReactNode => (
    <FieldInput
      key={field.name}
      field={field}
      path={field.name}
      value={field.name in touched ? touched[field.name] : plain(record?.[field.name])}
      problems={problems}
      change={(value) => setTouched((before) => ({ ...before, [field.name]: value }))}
    />
  );
  const main = first.flatMap((name) => fields.filter((field) => field.name === name));
  const more = isPart ? [] : fields.filter(({ name }) => !first.includes(name));
  return (
    <form className={isPlan ? 'form form-beside' : 'form'} onSubmit={submit} noValidate>
      {saving.error !== null && <Unplaced error={saving.error} fields={fields} />}
      {main.map(show)}
      {more.length > 0 && (
        <details open={main.length === 0 || more.some(({ name }) => name in problems)}>
          <summary>{T.forms.more}</summary>
          <div className="form form-more">{more.map(show)}</div>
        </details>
      )}
      {isPlan && <PlanPreview state={preview} {...{ quantity, setQuantity }} />}
      <div className="form-foot">
        <Button primary type="submit" busy={saving.isPending}>
          {record === null ? T.forms.create : T.forms.save}
        </Button>
      </div>
    </form>
  );
}

function useSaving(kind: KindName, record: Saved | null, onDone: (saved: Saved) => void) {
  const client = useClient();
  const cache = useQueryClient();
  const { path } = KINDS[kind];
  return useMutation({
    // The bodies are described at run time, so the service checks them.
    mutationFn: async (values: Values): Promise<Saved> => ({
      ...(await (record === null
        ? client.post(path as '/users', { body: withoutEmpty(values) })
        : client.put((path === '/company' ? path : `${path}/{id}`) as '/users/{id}', {
            params: { path: { id: record._id } },
            body: values,
          }))),
    }),
    onSuccess: async (saved) => {
      await cache.invalidateQueries();
      onDone(saved);
    },
  });
}

/** Converts the Dates of a record to milliseconds, as inputs and bodies use them. */
function plain(value: unknown): unknown {
  return value instanceof Date ? value.getTime() : value;
}

/** Shows the errors that belong to no field of this form. */
function Unplaced({
  error,
  fields,
}: {
  readonly error: Error;
  readonly fields: readonly Field[];
}): ReactNode {
  const isPlaced = (path: string): boolean =>
    fields.some(({ name }) => path === name || path.startsWith(`${name}.`));
  const errors = error instanceof CommerceProblem ? error.errors : [];
  if (errors.length > 0 && errors.every(({ path }) => isPlaced(path))) {
    return (
      <p role="alert" className="alert">
        {T.forms.lookBelow(errors.length)}
      </p>
    );
  }
  return <Trouble error={error} />;
}
