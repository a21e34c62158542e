import { importSubscription, type ImportFacts } from '../src/domain/actions/import.js';
import { blankState } from '../src/subscription-record/subscription-state.adapter.js';
import { holdAfter } from './scenario-properties.js';
import { date } from './scenario-text.js';
import { Scenario } from './scenario.js';

/** A scenario whose subscription ran elsewhere before. */
export class ImportedScenario extends Scenario {
  /** Imports a subscription that ran elsewhere until then. */
  takeOver(at: string, facts: ImportFacts): this {
    this.now = date(at);
    const { plan } = this.terms;
    this.state = importSubscription(blankState(plan.currency, this.first), this.terms, facts, this.now);
    this.seen.push(this.state.status);
    holdAfter(this.state, plan);
    return this;
  }
}
