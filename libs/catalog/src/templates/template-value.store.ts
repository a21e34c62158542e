import type { Id } from '@commerce/records';

/**
 * The records with values of template attributes, as templates see them: products implement this class, so that
 * templates do not depend on them.
 */
export abstract class TemplateValueStore {
  /**
   * Removes the values of a template from at most `most` of the records that have any.
   * @returns the number of those records; 0 when none is left
   */
  abstract unsetAttributes(company: Id, template: Id, most: number, now: Date): Promise<number>;
}
