import { Country, Text } from '@commerce/records';

/** The address of a seller or a buyer. */
export class PostalAddress {
  @Text({ min: 1, max: 128, description: 'street and number' })
  line1: string;

  @Text({ optional: true, max: 128, description: 'what more the address needs' })
  line2: string | null;

  @Text({ optional: true, max: 16, description: 'postal code' })
  postal_code: string | null;

  @Text({ optional: true, max: 128, description: 'town or city' })
  city: string | null;

  @Text({ optional: true, max: 128, description: 'state or province' })
  region: string | null;

  @Country()
  country: string;
}
