import type { Term } from '../src/domain/calendar/term.js';
import { toRetry, type OpenPayment } from '../src/domain/receivable/open-payment.js';
import type {
  EndingState,
  PausedState,
  RunningState,
  SubscriptionState,
} from '../src/domain/lifecycle/subscription-state.js';
import { Scenario } from './scenario.js';

const at = new Date('2025-06-01');
const running = new Scenario().start('2025-04-01').runTo('2025-04-10').current as RunningState;

/** The compiler is the test: an error that it does not find would be reported as unused. */
describe('an impossible state does not compile', () => {
  it('such as a pause without a date, or one that is still active', () => {
    const { lines, last_prorate_date, receivable, derived } = running;
    const rest = { lines, last_prorate_date, receivable, derived };
    const paused = { status: 'PAUSED', resume_at: null, last_period: 0, ...rest } as const;
    const ending = { status: 'NON_RENEWING', active: true, prorate_amount_minor: 0, ...rest } as const;
    // @ts-expect-error: paused_at is missing
    const undated: PausedState = paused;
    // @ts-expect-error: a stop has a date and a last period
    const endless: EndingState = ending;
    // @ts-expect-error: only a paused subscription has the date of its pause
    const { paused_at } = running;
    expect([undated, endless, paused_at]).toHaveLength(3);
  });

  it('such as periods before the start', () => {
    const created = new Scenario().create('2025-04-01').current;
    // @ts-expect-error: a state that may not be started has no lines
    const lines = (state: SubscriptionState): unknown => state.lines;
    expect(lines(created)).toBeUndefined();
  });

  it('such as two terms together', () => {
    // @ts-expect-error: it ends, or it does not
    const both: Term = { infinite: true, ending_date: at, interval_total: null };
    expect(both.infinite).toBe(true);
  });

  it('such as a retry without a date', () => {
    const [open = null] = running.receivable.open_payments;
    // @ts-expect-error: retry_at is missing
    const undated = (payment: OpenPayment): OpenPayment => ({ ...toRetry(payment, at), retry_at: null });
    expect(open === null ? null : undated(open)).toBeNull();
  });
});
