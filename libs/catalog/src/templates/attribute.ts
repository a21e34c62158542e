import { READABLE_LENGTH } from '@commerce/kernel';
import { Choice, Text } from '@commerce/platform';

export const ATTRIBUTE_KINDS = ['string', 'url', 'email', 'int', 'float', 'boolean'] as const;
export type AttributeKind = (typeof ATTRIBUTE_KINDS)[number];

/** The most attributes that one template has. */
export const MAX_ATTRIBUTES = 100;

const KEY = { min: 1, max: 64, description: 'the name under which records carry the value' };

/** An attribute as a body makes it. */
export class NewAttribute {
  @Text(KEY)
  key: string;

  @Choice(ATTRIBUTE_KINDS, { fold: 'lower' })
  kind: AttributeKind;
}

/** An attribute that a template gives to the records of its model. */
export class Attribute {
  @Text(KEY)
  key: string;

  @Choice(ATTRIBUTE_KINDS, { fold: 'lower' })
  kind: AttributeKind;

  @Text({ description: 'made with the attribute; names it from then on' })
  human_id: string;
}

/** An attribute as a body gives it that changes a template: one that is there with its human_id, or a new one. */
export class GivenAttribute {
  @Text(KEY)
  key: string;

  @Choice(ATTRIBUTE_KINDS, { fold: 'lower' })
  kind: AttributeKind;

  @Text({ min: READABLE_LENGTH, max: READABLE_LENGTH, optional: true, description: 'left out for a new one' })
  human_id: string | null;
}
