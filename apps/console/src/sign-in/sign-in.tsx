import { useMutation } from '@tanstack/react-query';
import { CommerceProblem } from 'commerce-service-client';
import { useId, useState, type ReactNode, type SubmitEvent } from 'react';

import { T } from '../texts';
import { Button, Mark } from '../ui/parts';
import { inPlace, keyFaults, type KeyFaults } from './key-kinds';
import { clientWith, type KeyTexts } from '../app/session';

interface SignInProps {
  /** `keep`: whether the tab keeps the keys over a reload. */
  readonly onKeys: (keys: KeyTexts, keep: boolean) => void;
}

/** Asks for the two keys, and checks them before it shows any data. */
export function SignIn({ onKeys }: SignInProps): ReactNode {
  const [faults, setFaults] = useState<KeyFaults>({});
  const [keep, setKeep] = useState(false);
  const trying = useMutation({
    mutationFn: async (keys: KeyTexts) => {
      // Only an admin may list plans.
      await clientWith(keys).get('/plans', { params: { query: { size: 1 } } });
      return keys;
    },
    onSuccess: (keys) => onKeys(keys, keep),
  });
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const keys = inPlace({ apiKey: textOf(form, 'api'), serviceKey: textOf(form, 'service') });
    const found = keyFaults(keys);
    setFaults(found);
    if (Object.keys(found).length === 0) trying.mutate(keys);
    else trying.reset();
  };
  return (
    <main className="sign-in">
      <form onSubmit={submit} className="card sign-in-card">
        <Mark />
        <h1>{T.signIn.title}</h1>
        <p className="quiet">{T.signIn.lead}</p>
        <KeyField name="api" label={T.signIn.apiKey} placeholder="pk_test_…" wrong={faults.apiKey} />
        <KeyField
          name="service"
          label={T.signIn.serviceKey}
          placeholder="sk_test_…"
          wrong={faults.serviceKey}
          secret
        />
        <Keep keep={keep} setKeep={setKeep} />
        {trying.error !== null && (
          <p role="alert" className="alert">
            {reasonOf(trying.error)}
          </p>
        )}
        <Button primary type="submit" busy={trying.isPending}>
          {T.signIn.submit}
        </Button>
        <p className="quiet small">{T.signIn.where}</p>
      </form>
    </main>
  );
}

interface KeepProps {
  readonly keep: boolean;
  readonly setKeep: (keep: boolean) => void;
}

/** The choice to keep the keys over a reload, and where they are then. */
function Keep({ keep, setKeep }: KeepProps): ReactNode {
  const id = useId();
  return (
    <div>
      <label className="check">
        <input
          type="checkbox"
          checked={keep}
          aria-describedby={id}
          onChange={({ target }) => setKeep(target.checked)}
        />
        <span>{T.signIn.keep}</span>
      </label>
      <p id={id} className="quiet small">
        {keep ? T.signIn.kept : T.signIn.memory}
      </p>
    </div>
  );
}

interface KeyFieldProps {
  readonly name: string;
  readonly label: string;
  readonly placeholder: string;
  readonly wrong: string | undefined;
  readonly secret?: boolean;
}

function KeyField({ name, label, placeholder, wrong, secret = false }: KeyFieldProps): ReactNode {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        name={name}
        required
        type={secret ? 'password' : 'text'}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        aria-invalid={wrong !== undefined}
        aria-describedby={wrong === undefined ? undefined : `${id}-wrong`}
      />
      {wrong !== undefined && (
        <span id={`${id}-wrong`} role="alert" className="wrong">
          {wrong}
        </span>
      )}
    </div>
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
