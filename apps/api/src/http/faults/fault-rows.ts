/**
 * States when the same request may succeed without a repair by its caller. `soon`: the cause passes by itself. `later`:
 * the state that refuses it must change first; Retry-After is present when the time is known. `never`: it is final.
 */
export type Again = 'soon' | 'later' | 'never';

/** The nouns of the records that have a code of each reason, such as `company.not_found`. */
const NOUNS = {
  not_found: [
    'company',
    'coupon',
    'delivery',
    'event',
    'image',
    'invoice',
    'key',
    'order',
    'payment',
    'payment_method',
    'plan',
    'product',
    'resource',
    'subscription',
    'template',
    'test_clock',
    'user',
    'webhook',
  ],
  unknown: ['coupon', 'event', 'image', 'payment_method', 'plan', 'product', 'test_clock', 'user'],
} as const;

function ofNouns(reason: keyof typeof NOUNS, status: number, meaning: string): Row[] {
  return NOUNS[reason].map((noun) => [
    `${noun}.${reason}`,
    status,
    meaning.replace('{noun}', noun.replaceAll('_', ' ')),
  ]);
}

/** A row of the catalogue. */
export type Row = readonly [code: string, status: number, meaning: string, again?: Again];

/** All codes, in the order of their statuses. */
export const ROWS: readonly Row[] = [
  [
    'body.malformed',
    400,
    'The body is not well-formed JSON (for images: not well-formed multipart/form-data)',
  ],
  ['header.invalid', 400, 'A header cannot be read'],
  ['target.invalid', 400, 'The target of the request line is no path and no URL'],
  ['notice.invalid', 400, 'The webhook of the card provider is not signed correctly, or is too old'],
  ['version.invalid', 400, 'X-Service-Version is not a date from 2019-02-01 to today'],

  ['api_key.invalid', 401, 'X-Service-Api-Key is unknown, revoked or expired'],
  ['api_key.missing', 401, 'X-Service-Api-Key is missing'],
  ['credentials.invalid', 401, 'The token or service key is wrong, expired or of another company'],
  ['credentials.missing', 401, 'Authorization: Bearer … is missing'],

  [
    'payment.declined',
    402,
    'The card was declined; `decline_code` says why, `order` and `payment` are as they are now',
  ],

  [
    'customer.not_allowed',
    403,
    'The company does not let users do this; `setting` names what it switched off',
  ],
  ['key.roll_forbidden', 403, 'A service key can roll API keys, itself and the keys that end with it'],
  ['role.forbidden', 403, 'The operation needs a service key'],

  ['path.not_found', 404, 'There is nothing at this path'],
  ...ofNouns('not_found', 404, 'There is no such {noun}, or it is not one that the caller may see'),

  ['pay_link.invalid', 404, 'The link leads to no payment'],

  ['method.not_allowed', 405, 'The path exists, but not with this method; `Allow` lists those that do'],

  ['coupon.code_taken', 409, 'Another coupon of the company has this code'],
  [
    'coupon.too_many_reserved',
    409,
    'As many unpaid orders and subscriptions as may be have reserved the coupon; try again when some are paid',
    'later',
  ],
  ['delivery.state_conflict', 409, 'The delivery cannot be sent again as its webhook stands', 'later'],
  ['event.state_conflict', 409, 'The event was only simulated, or has not been sent yet', 'later'],
  [
    'idempotency_key.in_flight',
    409,
    'The first request with this Idempotency-Key is still running; try again after Retry-After',
    'soon',
  ],
  ['idempotency_key.reply_not_kept', 409, 'The first request took effect; its reply is too much to keep'],
  [
    'image.in_use',
    409,
    'A product or a resource shows the image: give it another image first. The logo of a seller stays, as invoices show it',
  ],
  [
    'invoice.incomplete',
    409,
    'The document lacks data that an electronic invoice must have; `missing` names it, and a document never changes',
  ],
  ['key.state_conflict', 409, 'A key that is revoked, expired or rolled already cannot be rolled'],
  ['key.too_many', 409, 'The company has as many live keys as it may have; `limit` says how many', 'later'],
  [
    'order.state_conflict',
    409,
    'The status of the order has no such move, or a payment is under way; `current` and `allowed` say more',
    'later',
  ],
  [
    'payment.open',
    409,
    'The change costs something, and another payment of the subscription is open: `payment` is its id',
    'later',
  ],
  ['payment.state_conflict', 409, 'The state of the payment does not allow this', 'later'],
  [
    'payment.too_many_attempts',
    409,
    'The payment of the order was tried as often as it may be, `limit` times; cancel the order and make another one',
  ],
  ['payment_method.in_use', 409, 'A live subscription uses the payment method; name a replacement'],
  ['payment_method.state_conflict', 409, 'The state of the payment method does not allow this'],
  ['record.conflict', 409, 'Other requests kept changing the record meanwhile; try again', 'soon'],
  ['record.exists', 409, 'There is such a record already'],
  [
    'subscription.changed_too_often',
    409,
    'The subscription has changed and paused as often as it may within a billing period, `limit` times',
    'later',
  ],
  [
    'subscription.reanchored_too_often',
    409,
    'Within 24 hours at most 3 billing periods of a subscription are charged; `possible_from` says when another can begin',
    'later',
  ],
  [
    'subscription.set_by_company',
    409,
    'The company decided the end, the pause or the change that the user would undo; `field` names who set it',
    'later',
  ],
  [
    'subscription.state_conflict',
    409,
    'The status of the subscription has no such move; `current` is its status, `allowed` lists the moves',
    'later',
  ],
  ['template.model_taken', 409, 'The model has a template already'],
  ['test_clock.state_conflict', 409, 'The test clock is advancing; wait until it is `ready`', 'soon'],
  ['user.email_taken', 409, 'Another user of the company has this email'],
  [
    'user.in_use',
    409,
    'Subscriptions of the user run: `subscriptions` names some, `more` says how many others there are; `stop=true` stops them',
    'later',
  ],
  ['user.owes', 409, 'The user owes: `owed` names the debts, which are paid first', 'later'],
  ['webhook.too_many', 409, 'The company has as many webhooks as it may have: `limit`', 'later'],
  ['webhook.state_conflict', 409, 'The webhook is not active and verified', 'later'],

  [
    'event.expired',
    410,
    'The event named by `after` is no longer kept; `oldest` is the first event of the log that is',
  ],
  ['pay_link.expired', 410, 'The link was good for seven days, which are over'],

  ['body.too_large', 413, 'The body is larger than the route accepts'],
  [
    'media_type.unsupported',
    415,
    'The body is not sent as application/json in UTF-8 (for images: as multipart/form-data), or is compressed',
  ],

  [
    'amount.below_minimum',
    422,
    'The card provider does not charge so little; `minimum` is the least, where it is known',
  ],
  ['amount.invalid', 422, 'An amount is negative where it must not be, not finite, or too large'],
  ['amount.not_chargeable', 422, 'The card provider does not accept this amount in this currency'],
  ['amount.too_precise', 422, 'An amount has more decimals than its currency'],
  [
    'amount.rounds_to_zero',
    422,
    'Something that has a price would cost nothing, because it comes to less than half of the smallest unit of its currency',
  ],
  ['attribute.key_fixed', 422, 'The key of an existing attribute cannot change'],
  ['attribute.kind_fixed', 422, 'The kind of an existing attribute cannot change'],
  ['attribute.missing', 422, 'Existing attributes of a template must all be sent again, with their human_id'],
  ['attribute.repeated', 422, 'Two attributes of the template have the same key or human_id'],
  ['attribute.unknown', 422, 'No template defines this attribute'],
  [
    'balance.too_small',
    422,
    'More is taken back than the balance of the user holds; `balance` is what it holds',
  ],
  ['body.invalid', 422, 'The body is not a JSON object (for bulk routes: not a list of them)'],
  ['coupon.already_redeemed', 422, 'The subscription or its customer has redeemed this coupon already'],
  ['coupon.currency_differs', 422, 'The coupon takes off an amount in another currency'],
  ['coupon.expired', 422, 'The coupon has ended'],
  ['coupon.inactive', 422, 'The coupon is not active'],
  ['coupon.no_discount', 422, 'A coupon needs either percent_off or amount_off'],
  [
    'coupon.not_for_orders',
    422,
    'The coupon is limited to plans, and not to products: it is for subscriptions only',
  ],
  ['coupon.not_for_these_products', 422, 'The coupon is limited to products, and none of them is bought'],
  ['coupon.not_for_this_plan', 422, 'The coupon is limited to other plans'],
  ['coupon.not_started', 422, 'The coupon cannot be used yet'],
  ['coupon.not_usable', 422, 'No coupon with this code can be used here: the one answer to users'],
  ['coupon.two_discounts', 422, 'A coupon has either percent_off or amount_off, not both'],
  ['coupon.used_more_often', 422, 'max_redemptions is below the number of times the coupon has been used'],
  ['coupon.used_up', 422, 'The coupon has been redeemed, or is reserved, as often as it may be'],
  [
    'customer.quota_exceeded',
    422,
    'The user may store no more by its own requests; `setting` names the quota of the company, `quota` says how much it is',
  ],
  ['currency.unknown', 422, 'Not an ISO 4217 code'],
  ['currency.unsupported', 422, 'A currency that is counted in fifths, which cannot be charged: MGA, MRU'],
  ['date.out_of_range', 422, 'A date is beyond what a calendar can count'],
  ['field.unknown', 422, 'The route has no such field or query parameter; appears in `errors`'],
  ['fraction.out_of_range', 422, 'A discount or VAT rate is not between 0 and 1'],
  ['idempotency_key.reused', 422, 'This Idempotency-Key was used with another body or query'],
  ['image.quota_exceeded', 422, 'The images of the company may take no more room'],
  ['image.too_large', 422, 'The image has more pixels than an image may have'],
  ['image.unsupported', 422, 'The file is not a png, jpeg, webp, gif or avif image'],
  ['payment.confirmation_invalid', 422, 'The intent or its secret does not belong to this payment'],
  ['payment_method.declined', 422, 'The card provider refused the card'],
  ['payment_method.incomplete', 422, 'No card has been saved in the payment method yet'],
  ['payment_method.missing', 422, 'There is nothing to pay with: name a payment method'],
  ['payment_method.provider_unknown', 422, 'There is no such card payment provider'],
  ['plan.currency_differs', 422, 'The plan is in another currency than the subscription'],
  [
    'plan.not_prorated',
    422,
    'One of the plans is not prorated: a change takes effect at the start of a period only',
  ],
  ['product.currency_changed', 422, "A product of the plan is no longer priced in the plan's currency"],
  ['product.currency_in_use', 422, 'A plan that is not deleted is priced by the product'],
  ['product.currency_differs', 422, 'The products are priced in different currencies'],
  ['product.has_no_sub_products', 422, 'Only a main product can have sub-products'],
  ['product.has_parents', 422, 'A product with parents cannot become a main product'],
  ['product.has_sub_products', 422, 'A product with sub-products cannot become a sub-product'],
  ['product.inactive', 422, 'The product is not active, or was deleted'],
  [
    'product.not_a_sub_product',
    422,
    'The product is a main product, or is not one of the given sub-products',
  ],
  ['product.too_many_parents', 422, 'A sub-product belongs to at most 1,000 products'],
  ['product.parent_required', 422, 'A sub-product is only sold together with one of its parents'],
  ['provider.refused', 422, 'The card provider refuses the request for good; `reason` is its code'],
  ['quantity.invalid', 422, 'A quantity is negative or not finite'],
  ['items.too_many', 422, 'The items of an order or a plan name at most 500 products, sub-products included'],
  ['quantity.not_in_steps', 422, 'The quantity is not a multiple of the step in which the product is sold'],
  ['refund.too_large', 422, 'More than was captured and not refunded yet'],
  ['resource.status_reserved', 422, 'Only an admin may set this status'],
  ['subscription.field_reserved', 422, 'Only an admin may set this field of a subscription'],
  ['test_clock.test_mode_only', 422, 'Test clocks need test mode keys'],
  ['tax.rate_missing', 422, 'The company has given no rate of its own country for the category'],
  ['tax.seller_outside_eu', 422, 'Tax can be decided by eu for sellers in the EU only'],
  ['tax.seller_required', 422, 'Tax can be decided by eu for companies with a seller only'],
  ['tax.vat_id_required', 422, 'A seller that is no small business needs a VAT id to have tax decided by eu'],
  ['timezone.unknown', 422, 'Not an IANA time zone'],
  [
    'user.field_reserved',
    422,
    'Only an admin may change this field of a user; email and external_reference unless the company allows it',
  ],
  ['user.not_yourself', 422, 'A user may only name itself'],
  ...ofNouns('unknown', 422, 'The request names a {noun} that does not exist for the caller; see `errors`'),
  ['vat_id.invalid', 422, 'Not a VAT id of the country of the address, by its form and check digits'],
  ['value.invalid', 422, 'A value has the wrong type or is out of range; `errors` names each field'],
  ['value.too_large', 422, 'A value is larger than its field accepts'],
  ['webhook.endpoint_refused', 422, 'The endpoint is not an https address on the public network'],

  ['rate.limited', 429, 'Too many requests; see Retry-After, and RateLimit for the name of the limit'],

  ['internal.error', 500, 'Something went wrong on our side; the request id helps us to find it'],

  ['provider.not_configured', 503, 'No account with the card provider serves companies of this mode'],
  ['billing.held', 503, 'New charges are on hold for a while; see Retry-After'],
  ['provider.unavailable', 503, 'The card provider does not answer; try again'],
  ['query.timeout', 503, 'The query took too long; ask for less, or try again'],
  ['service.overloaded', 503, 'The service has too much of this work at the moment; try again'],
  ['service.unavailable', 503, 'The database does not answer; try again'],
];
