import { ENDPOINT_STATES, type EndpointState } from '@commerce/events';
import { Choice, Flag, Instant, Integer, ListOf, Ref, type Id } from '@commerce/records';

/** The attempts of one hour. */
export class HourOfAttemptsReply {
  @Instant({ description: 'the start of the hour' })
  from: Date;

  @Integer({ description: 'how many attempts were made' })
  attempts: number;

  @Integer({ description: 'how many of them failed' })
  failed: number;
}

/** How an endpoint answers. */
class EndpointHealthReply {
  @Choice(ENDPOINT_STATES, {
    fold: 'lower',
    description:
      'failing: no attempt has succeeded since one that failed; delivering: the last one succeeded; idle: none was made lately',
  })
  state: EndpointState;

  @Instant({ optional: true, description: 'the last attempt that succeeded; null where none is known' })
  last_success: Date | null;

  @Instant({
    optional: true,
    description: 'the first attempt that failed after that; null unless it is failing',
  })
  failing_since: Date | null;

  @ListOf(() => HourOfAttemptsReply, {
    description: 'the attempts of the last 24 hours, the current one included, by hour',
  })
  hours: HourOfAttemptsReply[];

  @Flag({
    description:
      'whether all deliveries of these hours were looked at, or only the newest of them: 1,000, in a list fewer',
  })
  complete: boolean;
}

/** How the endpoint of one webhook of a list answers. */
export class ListedHealthReply extends EndpointHealthReply {
  @Ref('webhook')
  webhook: Id;
}

/** How the endpoint of a webhook answers, and what waits for it. */
export class WebhookHealthReply extends EndpointHealthReply {
  @Instant({ description: 'when this was read' })
  at: Date;

  @Instant({ optional: true, description: 'when the next attempt is due; null if nothing waits' })
  next_attempt: Date | null;

  @Integer({
    optional: true,
    description: 'how many deliveries wait, exact up to 10,000; null if they take too long to count',
  })
  waiting: number | null;

  @Flag({ description: 'whether counting them ended there: more wait' })
  capped: boolean;
}
