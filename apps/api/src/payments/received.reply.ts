import { Flag } from '@commerce/platform';

/** What the card provider is answered. */
export class ReceivedReply {
  @Flag({ example: true, description: 'always true' })
  received: boolean;
}
