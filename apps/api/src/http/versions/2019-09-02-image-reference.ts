import { carriesImage, type VersionChange } from './version-change.js';

/** `image_url`, an address, gave way to `image`, a reference. */
export const imageReference: VersionChange = {
  date: '2019-09-02',
  what: '`image_url` on products and resources is replaced by `image`',
  reply: (object) => {
    if (!carriesImage(object)) return object;
    const { image, ...rest } = object;
    return { ...rest, image_url: addressOf(image) };
  },
  request: (object) => {
    if (!('image_url' in object) || 'image' in object) return object;
    const { image_url: address, ...rest } = object;
    return { ...rest, image: imageOf(address) };
  },
};

const ADDRESS = /\/images\/([0-9a-f]{24})(?:\/content)?$/;

function addressOf(image: unknown): string | null {
  const id = (image as { $oid?: unknown } | null)?.$oid;
  return typeof id === 'string' ? `/images/${id}/content` : null;
}

/** An address that this service gave out names its image; any other text is left for validation to refuse. */
function imageOf(address: unknown): unknown {
  return typeof address === 'string' ? (ADDRESS.exec(address)?.[1] ?? address) : address;
}
