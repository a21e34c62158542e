import { UNSIGNED, type Unsigned } from '@commerce/events';
import { Choice, Integer, ListOf, Text } from '@commerce/records';

/** A request header as sent. */
export class HeaderReply {
  @Text({ description: 'its name' })
  name: string;

  @Text({ max: 2048, description: 'its value' })
  value: string;
}

/** The request that a delivery sent to its endpoint. */
export class DeliveryRequestReply {
  @Integer({
    optional: true,
    description: 'the attempt that sent it; null if it is what the next one will send',
  })
  attempt: number | null;

  @Choice(['POST'], { description: 'the method' })
  method: 'POST';

  @Text({ max: 2048, description: 'the address' })
  url: string;

  @ListOf(() => HeaderReply, {
    description: 'the headers, without those that HTTP itself adds, such as content-length',
  })
  headers: HeaderReply[];

  @Text({ max: 2 ** 24, description: 'the body; its UTF-8 is, byte for byte, what was signed and sent' })
  body: string;

  @Choice(UNSIGNED, {
    fold: 'lower',
    optional: true,
    description:
      'why the signatures are left out, null if they are there; not_sent: no attempt has been made; interrupted: a worker died in the attempt; secret_rotated: the secret that signed it is no longer kept',
  })
  unsigned: Unsigned | null;
}
