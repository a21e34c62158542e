import { T } from '../../texts';
import type { Delivery } from './model';

/** How often and how long the outcome of an attempt is asked for; an attempt takes ten seconds at most. */
const ASK_MS = 500;
const ASKS = 40;

/** Asks until there is an answer; null where there is none in time. */
export async function repeatedly<A>(ask: () => Promise<A | null>): Promise<A | null> {
  for (let asked = 0; asked < ASKS; asked += 1) {
    const answer = await ask();
    if (answer !== null) return answer;
    await new Promise((resolve) => setTimeout(resolve, ASK_MS));
  }
  return null;
}

/** The last attempt of a delivery in a sentence; null: none was made in time. */
export function outcomeOf(delivery: Delivery | null): string {
  const attempt = delivery?.attempts.at(-1);
  if (delivery === null || attempt === undefined) return T.webhooks.outcome.late;
  const { status, error, duration_ms: took } = attempt;
  if (status === null) return T.webhooks.outcome.none(error ?? T.none);
  return isAccepted(status)
    ? T.webhooks.outcome.accepted(status, took)
    : T.webhooks.outcome.refused(status, took);
}

/** The class of that sentence. */
export function toneOf(delivery: Delivery | null | undefined): string {
  if (delivery == null) return 'quiet';
  const status = delivery.attempts.at(-1)?.status ?? null;
  return status !== null && isAccepted(status) ? 'fine' : 'alert';
}

function isAccepted(status: number): boolean {
  return status >= 200 && status < 300;
}
