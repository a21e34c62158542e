import { TemplateValues } from '@commerce/catalog';
import { Sweeps, type Sweep } from '@commerce/platform';

/** Takes values of deleted templates off products where the request that deleted them did not come to it. */
@Sweeps('template-values')
export class TemplateValuesSweep implements Sweep {
  constructor(private readonly values: TemplateValues) {}

  async run(): Promise<void> {
    await this.values.sweep();
  }
}
