import { READABLE_LENGTH } from '@commerce/kernel';
import { Choice, Text } from '@commerce/records';

export const ATTRIBUTE_KINDS = ['string', 'url', 'email', 'int', 'float', 'boolean'] as const;
export type AttributeKind = (typeof ATTRIBUTE_KINDS)[number];

/** The most attributes of one template. */
export const MAX_ATTRIBUTES = 100;

const KEY = { min: 1, max: 64, description: 'the key of the value in records' };

/** An attribute in the body that creates a template. */
export class NewAttribute {
  @Text({ ...KEY, description: 'the name of the value in `attributes` of a product' })
  key: string;

  @Choice(ATTRIBUTE_KINDS, { fold: 'lower', description: 'what the value has to be' })
  kind: AttributeKind;
}

/** An attribute that a template defines for the records of its model. */
export class Attribute {
  @Text({ ...KEY, description: 'the name of the value in `attributes` of a product' })
  key: string;

  @Choice(ATTRIBUTE_KINDS, { fold: 'lower', description: 'what the value has to be' })
  kind: AttributeKind;

  @Text({ description: 'assigned when the attribute is created; identifies it from then on' })
  human_id: string;
}

/** An attribute in the body that updates a template: an existing one with its human_id, or a new one. */
export class GivenAttribute {
  @Text({ ...KEY, description: 'the name of the value in `attributes` of a product; fixed once it exists' })
  key: string;

  @Choice(ATTRIBUTE_KINDS, { fold: 'lower', description: 'what the value has to be; fixed once it exists' })
  kind: AttributeKind;

  @Text({
    min: READABLE_LENGTH,
    max: READABLE_LENGTH,
    optional: true,
    description: 'left out for a new attribute',
  })
  human_id: string | null;
}
