import { UniqueNames, type UnitOfWork } from '@commerce/data';
import type { Id } from '@commerce/records';

/** Another subscription of the user has begun the trial in the meantime. */
export class TrialTaken extends Error {
  constructor() {
    super('The user has begun this trial with another subscription');
  }
}

/** The trial of a plan that a user begins; without a plan, the only one that they may have. */
export interface Trial {
  readonly user: Id;
  readonly plan: string | null;
}

/** Takes a trial in the commit that begins it; the commit fails with `TrialTaken` where another was faster. */
export function takeTrial(names: UniqueNames, work: UnitOfWork, trial: Trial): void {
  names.take(work, 'trial', nameOf(trial), new TrialTaken());
}

/** Frees a trial that never began. */
export function releaseTrial(names: UniqueNames, work: UnitOfWork, user: Id, plan: Id): void {
  names.release(work, 'trial', nameOf({ user, plan: plan.toHexString() }));
  names.release(work, 'trial', nameOf({ user, plan: null }));
}

function nameOf({ user, plan }: Trial): string {
  return plan === null ? user.toHexString() : `${user.toHexString()}/${plan}`;
}
