import { RelaySweep } from '@commerce/events';
import { Sweeps, type Sweep } from '@commerce/platform';

/** Finds events that no job told the relay of. */
@Sweeps('relay')
export class PendingEventsSweep implements Sweep {
  constructor(private readonly pass: RelaySweep) {}

  run(): Promise<void> {
    return this.pass.run();
  }
}
