import { Instant, Integer, OwnedRecord, RecordOf, Text } from '@commerce/platform';

/** An image; its content lies apart, in ImageContentStore. */
@RecordOf({ collection: 'images', noun: 'image', cls: 'Image', touched: 'modified' })
export class ImageRecord extends OwnedRecord {
  @Text({ max: 2048, description: 'where its content is, on this service; no header is needed there' })
  url: string;

  @Text({ optional: true, description: 'the name of the file it came as' })
  name: string | null;

  @Text({ example: 'image/png' })
  content_type: string;

  @Integer({ description: 'in pixels' })
  width: number;

  @Integer({ description: 'in pixels' })
  height: number;

  @Integer({ description: 'in bytes' })
  size: number;

  /** SHA-256 of the content, in hexadecimal digits. */
  @Text({ hidden: true })
  digest: string;

  @Instant({ last: true })
  modified: Date;
}
