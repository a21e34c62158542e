const TEXT_OR_NULL = { type: ['string', 'null'] };

/** Schema in the API document of the data with which the customer's client authenticates. */
export const METADATA_SCHEMA = {
  type: 'object',
  properties: {
    payment_intent_id: { ...TEXT_OR_NULL, description: "the card provider's id of the payment intent" },
    payment_method_id: { ...TEXT_OR_NULL, description: "the card provider's id of the payment method" },
    intent_client_secret: {
      type: 'string',
      description: 'only while the customer must authenticate, and only for the customer',
    },
  },
  required: ['payment_intent_id', 'payment_method_id'],
};

/** Schema in the API document of the payment's reference to the card provider. */
export const PROVIDER_SCHEMA = {
  type: 'object',
  properties: {
    name: { type: 'string', description: 'the card provider' },
    intent_id: { ...TEXT_OR_NULL, description: 'its id of the payment intent' },
    charge_id: { ...TEXT_OR_NULL, description: 'its id of the charge; null until there is one' },
  },
  required: ['name', 'intent_id', 'charge_id'],
};
