import { isFinal, statusOf } from './statuses.js';

describe('The status of a fault', () => {
  it.each([
    ['subscription.not_found', 404],
    ['subscription.state_conflict', 409],
    ['user.email_taken', 409],
    ['coupon.code_taken', 409],
    ['payment_method.in_use', 409],
    ['record.conflict', 409],
    ['idempotency_key.in_flight', 409],
    ['idempotency_key.reused', 422],
    ['product.not_a_sub_product', 422],
    ['api_key.missing', 401],
    ['credentials.invalid', 401],
    ['role.forbidden', 403],
    ['rate.limited', 429],
    ['webhook.rate_limited', 429],
    ['service.unavailable', 503],
  ])('%s is %i', (code, status) => {
    expect(statusOf(code)).toBe(status);
  });
});

describe('A refusal', () => {
  it.each([
    ['key.state_conflict', true],
    ['user.email_taken', true],
    ['user.not_found', true],
    ['record.conflict', false],
    ['idempotency_key.in_flight', false],
    ['test_clock.state_conflict', false],
    ['order.state_conflict', false],
    ['event.state_conflict', false],
    ['subscription.state_conflict', false],
    ['provider.unavailable', false],
    ['webhook.rate_limited', false],
    ['value.invalid', false],
    ['rate.limited', false],
    ['service.unavailable', false],
  ])('%s is final: %s', (code, final) => {
    expect(isFinal(code)).toBe(final);
  });
});
