import { Relay, relayJob, type RelayJob } from '@commerce/events';
import { Handles, JobHandler, parseId } from '@commerce/platform';

/** Gives a company's new events their places and makes their deliveries. */
@Handles(relayJob)
export class RelayProcessor extends JobHandler<RelayJob> {
  constructor(private readonly relay: Relay) {
    super(relayJob);
  }

  async run({ company }: RelayJob): Promise<void> {
    const id = parseId(company);
    if (id !== null) await this.relay.run(id);
  }
}
