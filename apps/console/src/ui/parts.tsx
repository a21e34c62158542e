import { CommerceProblem, CommerceUnavailable } from 'commerce-service-client';
import type { ButtonHTMLAttributes, ReactNode } from 'react';

import { day, moment, words } from '../app/format';
import { plainText } from '../app/messages';
import { T } from '../texts';

/** The product's logo. */
export function Mark(): ReactNode {
  return (
    <svg className="mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" />
      <path d="M6 21h5v-8h6v5h9" />
      <circle cx="26" cy="18" r="2.6" />
    </svg>
  );
}

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly primary?: boolean;
  readonly danger?: boolean;
  readonly busy?: boolean;
}

/** While busy, the button ignores clicks but stays focusable. */
export function Button({ primary = false, danger = false, busy = false, ...props }: ButtonProps): ReactNode {
  const look = primary ? 'button primary' : danger ? 'button danger' : 'button';
  const { onClick, type = 'button', ...rest } = props;
  return (
    <button
      {...rest}
      type={busy ? 'button' : type}
      className={look}
      aria-busy={busy}
      onClick={busy ? undefined : onClick}
    />
  );
}

export function Note({ children }: { readonly children: ReactNode }): ReactNode {
  return <p className="note">{children}</p>;
}

const TONES: Readonly<Record<string, readonly string[]>> = {
  good: ['ACTIVE', 'SUCCEEDED', 'PAID', 'OK', 'ready', 'running', 'verified', 'yes', 'active'],
  bad: [
    'FAILED',
    'CANCELLED',
    'EXHAUSTED',
    'PAST_DUE',
    'DISPUTED',
    'held',
    'failing',
    'inactive',
    'deleted',
    'revoked',
    'expired',
  ],
  warn: [
    'REQUIRES_AUTH',
    'RETRYING',
    'NON_RENEWING',
    'UNKNOWN',
    'PENDING',
    'PENDING_PAYMENT',
    'unverified',
    'not_confirmed',
    'advancing',
    'rolled',
    'late',
    'paused',
  ],
};

/**
 * A placeholder for text that is not loaded yet, such as the name behind an id; it may be the only content of a link.
 */
export function Pending(): ReactNode {
  return <span className="loading-text" role="img" aria-label={T.loading} />;
}

/** A date and time in a list; on a phone, the day. */
export function When({ at }: { readonly at: Date }): ReactNode {
  return (
    <>
      <span className="wide">{moment(at)}</span>
      <span className="narrow">{day(at)}</span>
    </>
  );
}

/** A status, distinguished by its words and not by its colour alone. */
export function Badge({ value }: { readonly value: string }): ReactNode {
  const tone = Object.keys(TONES).find((name) => TONES[name]?.includes(value)) ?? 'plain';
  return <span className={`badge ${tone}`}>{words(value)}</span>;
}

interface TroubleProps {
  readonly error: Error | null;
  /** The page's words for fields that a message may name. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** An error, in the words of the service, without the names of its fields. */
export function Trouble({ error, labels }: TroubleProps): ReactNode {
  if (error === null) return null;
  return (
    <p role="alert" className="alert">
      {messageOf(error, labels)}
    </p>
  );
}

function messageOf(error: Error, labels?: Readonly<Record<string, string>>): string {
  if (error instanceof CommerceProblem) return plainText(error.document.detail, labels);
  return error instanceof CommerceUnavailable ? T.away : error.message;
}

interface HeadProps {
  readonly title: ReactNode;
  readonly lead?: ReactNode;
  readonly children?: ReactNode;
}

export function PageHead({ title, lead, children }: HeadProps): ReactNode {
  return (
    <div className="page-head">
      <div>
        <h1>{title}</h1>
        {lead !== undefined && <p className="quiet">{lead}</p>}
      </div>
      {children !== undefined && <div className="actions">{children}</div>}
    </div>
  );
}

interface SectionProps {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

export function Section({ title, aside, children }: SectionProps): ReactNode {
  return (
    <section className="card" aria-label={title}>
      <div className="card-head">
        <h2>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}
