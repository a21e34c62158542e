/** Statuses of codes that do not follow from their reason. */
const BY_CODE: Readonly<Record<string, number>> = {
  'body.malformed': 400,
  'header.invalid': 400,
  'version.invalid': 400,
  'notice.invalid': 400,
  'api_key.missing': 401,
  'api_key.invalid': 401,
  'credentials.missing': 401,
  'credentials.invalid': 401,
  'payment.declined': 402,
  'role.forbidden': 403,
  'pay_link.invalid': 404,
  'method.not_allowed': 405,
  'pay_link.expired': 410,
  'request.timeout': 408,
  'record.conflict': 409,
  'record.exists': 409,
  'idempotency_key.in_flight': 409,
  'body.too_large': 413,
  'media_type.unsupported': 415,
  'rate.limited': 429,
  'internal.error': 500,
  'provider.unavailable': 503,
  'service.overloaded': 503,
  'service.unavailable': 503,
};

/** Statuses by the reason, the part of a code behind its point. */
const BY_REASON: readonly (readonly [RegExp, number])[] = [
  [/\.not_found$/, 404],
  [/\.state_conflict$/, 409],
  [/[._]taken$/, 409],
  [/\.in_use$/, 409],
  [/\.rate_limited$/, 429],
];

/** The HTTP status of a fault's code; what is listed nowhere is an invalid value, 422. */
export function statusOf(code: string): number {
  return BY_CODE[code] ?? BY_REASON.find(([reason]) => reason.test(code))?.[1] ?? 422;
}
