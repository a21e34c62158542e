import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { CommerceProblem, type Reply } from 'commerce-service-client';

import { useClient } from '../../app/session';
import { useRested } from '../../ui/use-rested';
import { problemsOf, type Problems } from '../problems';
import { withoutEmpty, type Values } from '../values';

/** The service is asked when nothing was changed for so long. */
const PAUSE_MS = 300;
const COUNT = 4;

/** The reply, with the quantity that it is for: until the next reply, the form may have another. */
export interface PreviewedPlan extends Readonly<Reply<'/plans/preview', 'post'>> {
  readonly quantity: number;
}

export interface PlanPreviewState {
  /** Null while the form lacks what a preview needs. */
  readonly previewed: PreviewedPlan | null;
  /** The service's refusals of fields that are filled in. */
  readonly problems: Problems;
  /** An error that belongs to no field. */
  readonly error: Error | null;
  /** Whether the reply to the present values is still to come. */
  readonly isWaiting: boolean;
}

/** The price and first charges of the plan in the form, as the service computes them. */
export function usePlanPreview(values: Values, quantity: number, isPlan: boolean): PlanPreviewState {
  const client = useClient();
  const body = isPlan ? bodyOf(values, quantity) : '';
  const asked = useRested(body, PAUSE_MS);
  const { data, error, isFetching } = useQuery({
    queryKey: ['/plans/preview', asked],
    // The bodies are described at run time, so the service checks them.
    queryFn: async ({ signal }): Promise<PreviewedPlan> => {
      const sent = JSON.parse(asked) as Values & Pick<PreviewedPlan, 'quantity'>;
      const reply = await client.post('/plans/preview', { body: sent as never, signal });
      return { ...reply, quantity: sent.quantity };
    },
    enabled: asked !== '',
    placeholderData: keepPreviousData,
    retry: false,
  });
  const isOfFields = error instanceof CommerceProblem && error.errors.length > 0;
  return {
    previewed: error === null && asked !== '' ? (data ?? null) : null,
    problems: isOfFields ? filledIn(problemsOf(error), { ...values, quantity }) : {},
    error: isOfFields ? null : error,
    isWaiting: asked !== body || isFetching,
  };
}

/** Fields that change no amount. */
const WORDS = new Set(['name', 'note']);

/** The body to preview; empty while nothing is filled in. */
function bodyOf(values: Values, quantity: number): string {
  const priced = Object.entries(withoutEmpty(values)).filter(([name]) => !WORDS.has(name));
  return priced.length === 0 ? '' : JSON.stringify({ ...Object.fromEntries(priced), quantity, count: COUNT });
}

/** Without the fields that are still empty: nobody has come to them yet. */
function filledIn(problems: Problems, values: Values): Problems {
  return Object.fromEntries(Object.entries(problems).filter(([path]) => !isEmpty(valueAt(values, path))));
}

function valueAt(values: Values, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, name) => (value as Values | null | undefined)?.[name], values);
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}
