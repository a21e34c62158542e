export * from './charge-outcome.js';
export * from './payment-owners.js';
export * from './payment.record.js';
export * from './payments.service.js';
export * from './settlement.service.js';
