import { Flag } from '@commerce/records';

/** What the card provider is answered. */
export class ReceivedReply {
  @Flag({ example: true, description: 'always true' })
  received: boolean;
}
