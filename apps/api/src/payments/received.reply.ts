import { Flag } from '@commerce/records';

/** The reply to the card provider. */
export class ReceivedReply {
  @Flag({ example: true, description: 'always true' })
  received: boolean;
}
