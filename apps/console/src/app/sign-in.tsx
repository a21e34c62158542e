import { useMutation } from '@tanstack/react-query';
import { CommerceProblem } from 'commerce-service-client';
import { type ReactNode, type SubmitEvent } from 'react';

import { T } from '../texts';
import { Button, Mark } from '../ui/parts';
import { clientWith, type KeyTexts } from './session';

/** Asks for the two keys, and checks them before it shows any data. */
export function SignIn({ onKeys }: { readonly onKeys: (keys: KeyTexts) => void }): ReactNode {
  const trying = useMutation({
    mutationFn: async (keys: KeyTexts) => {
      // Only an admin may list plans.
      await clientWith(keys).get('/plans', { params: { query: { size: 1 } } });
      return keys;
    },
    onSuccess: onKeys,
  });
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    trying.mutate({ apiKey: textOf(form, 'api'), serviceKey: textOf(form, 'service') });
  };
  return (
    <main className="sign-in">
      <form onSubmit={submit} className="card sign-in-card">
        <Mark />
        <h1>{T.signIn.title}</h1>
        <p className="quiet">{T.signIn.lead}</p>
        <KeyField name="api" label={T.signIn.apiKey} placeholder="pk_test_…" />
        <KeyField name="service" label={T.signIn.serviceKey} placeholder="sk_test_…" secret />
        {trying.error !== null && (
          <p role="alert" className="alert">
            {reasonOf(trying.error)}
          </p>
        )}
        <Button primary type="submit" busy={trying.isPending}>
          {T.signIn.submit}
        </Button>
        <p className="quiet small">{T.signIn.memory}</p>
      </form>
    </main>
  );
}

interface KeyFieldProps {
  readonly name: string;
  readonly label: string;
  readonly placeholder: string;
  readonly secret?: boolean;
}

function KeyField({ name, label, placeholder, secret = false }: KeyFieldProps): ReactNode {
  return (
    <label className="field">
      <span>{label}</span>
      <input
        name={name}
        required
        type={secret ? 'password' : 'text'}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
      />
    </label>
  );
}

function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.trim() : '';
}

function reasonOf(error: Error): string {
  if (!(error instanceof CommerceProblem)) return T.away;
  if (error.status === 401) return T.signIn.wrong;
  return error.status === 403 ? T.signIn.notAdmin : error.document.detail;
}
