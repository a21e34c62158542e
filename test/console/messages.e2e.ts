import { plainText } from '../../apps/console/src/app/messages.js';

describe('A message of the service, in the console', () => {
  it.each([
    ['ending_date must not be in the past', {}, 'Ending date must not be in the past'],
    ['stop must not be in the past', { stop: 'The date' }, 'The date must not be in the past'],
    ['total_amount must not be less than 0', { total_amount: 'Price' }, 'Price must not be less than 0'],
    ['items.0.product must be an id', { product: 'Product' }, 'Product must be an id'],
    ['currency must be set with amount_off', {}, 'Currency must be set with amount off'],
    ['`user` is needed', { user: 'Customer' }, 'Customer is needed'],
  ])('names no field of the interface: %s', (message, labels, text) => {
    expect(plainText(message, labels)).toBe(text);
  });

  it.each([
    'The coupon SPRING_5 can no longer be used',
    'There is no kind payment.requires_auth',
    'Look at https://shop.example.com/some_page',
    'A subscription that is NON_RENEWING cannot be paused',
    'At most 30.5 EUR can be refunded',
  ])('keeps everything else: %s', (message) => {
    expect(plainText(message)).toBe(message);
  });
});
