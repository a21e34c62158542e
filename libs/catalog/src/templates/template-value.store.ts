import type { Id } from '@commerce/records';

/**
 * The records that carry values of template attributes, as templates see them: templates know nothing of products,
 * which implement this.
 */
export abstract class TemplateValueStore {
  /**
   * Removes the values of a template from at most `most` of the records that have any.
   * @returns how many records that were; 0 when none is left
   */
  abstract unsetAttributes(company: Id, template: Id, most: number, now: Date): Promise<number>;
}
