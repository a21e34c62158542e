import { newId } from '@commerce/records';

import { applyOutcome } from '../payments/payment.rules.js';
import { AUTH, NOW, payment, REQUEST, settled, SUCCESS } from '../payments/payment.spec-data.js';
import { shownInEvent, withClientSecret } from './client-secret.js';

describe('the client secret', () => {
  it('is in the event that asks for authentication, and in no other', () => {
    const metadata = { payment_intent_id: 'pi_1', payment_method_id: 'pm_1' };
    const shown = shownInEvent(payment(), applyOutcome(payment(), 1, AUTH, NOW) ?? {});
    expect(shown?.({ metadata })).toEqual({
      metadata: { ...metadata, intent_client_secret: 'pi_1_secret_x' },
    });
    expect(shownInEvent(payment(), applyOutcome(payment(), 1, SUCCESS, NOW) ?? {})).toBeUndefined();
  });

  it('is in no event of an order in session, whose caller has the payment', () => {
    const request = { ...REQUEST, off_session: false };
    const changes = applyOutcome(payment({ request }), 1, AUTH, NOW);
    expect(changes).not.toBeNull();
    expect(shownInEvent(payment({ request, order: newId() }), changes ?? {})).toBeUndefined();
  });

  it('is no longer shown once the payment went through', () => {
    const waiting = settled(payment(), AUTH);
    expect(withClientSecret(waiting).metadata).toHaveProperty('intent_client_secret', 'pi_1_secret_x');
    expect(withClientSecret(settled(waiting, SUCCESS)).metadata).not.toHaveProperty('intent_client_secret');
  });
});
