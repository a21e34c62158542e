import { DeliveryDispatcher, deliverJob, dueDeliveriesIn, type DeliverJob } from '@commerce/events';
import { Handles, JobHandler } from '@commerce/platform';

/** Hands new deliveries to the dispatcher; what it has no room for stays due and is found by the sweep. */
@Handles(deliverJob)
export class DeliverProcessor extends JobHandler<DeliverJob> {
  constructor(private readonly dispatcher: DeliveryDispatcher) {
    super(deliverJob);
  }

  async run(job: DeliverJob): Promise<void> {
    this.dispatcher.offer(dueDeliveriesIn(job));
  }
}
