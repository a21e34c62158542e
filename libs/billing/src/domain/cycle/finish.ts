import { finished } from '../lifecycle/ending.js';
import type { Transition } from '../lifecycle/transition.js';
import type { PlanTerms } from '../pricing/terms.js';
import { nextDueAction } from './due-actions.js';
import { View } from './view.js';

/** Adds the end if it is due next, so that it goes into the commit of the last payment. */
export function finishedIfDue(transition: Transition, plan: PlanTerms, now: Date): Transition {
  const view = new View(transition.state, plan);
  if (view.end === null || view.end > now) return transition;
  const item = nextDueAction(view);
  return item === null || item.do !== 'finish' || item.at > now ? transition : finished(item.state);
}
