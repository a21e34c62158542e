import { TemplateValueRemover } from '@commerce/catalog';
import { Sweeps, type Sweep } from '@commerce/platform';

/** Removes the values of deleted templates that the deleting request had no time for. */
@Sweeps('template-values')
export class TemplateValuesSweep implements Sweep {
  constructor(private readonly values: TemplateValueRemover) {}

  async run(): Promise<void> {
    await this.values.sweep();
  }
}
