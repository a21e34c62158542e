import { carriesImage, type SentObject, type VersionChange } from './version-change.js';

/** `image` (a reference) replaced `image_url` (an address). */
export const imageReference: VersionChange = {
  date: '2019-09-02',
  what: '`image_url` on products and resources is replaced by `image`',
  reply: (object) => {
    if (!carriesImage(object)) return object;
    const { image, ...rest } = object;
    return { ...rest, image_url: addressOf(image) };
  },
  request: (object, publicUrl) => {
    if (!isRead(object)) return object;
    const { image_url: address, ...rest } = object;
    return { ...rest, image: imageOf(address, publicUrl) };
  },
  error: (error, sent) => {
    if (error.path !== 'image' || !isRead(sent)) return error;
    const message = 'image_url is not the address of an image of this service';
    return { ...error, path: 'image_url', message };
  },
};

const ADDRESS = /^\/images\/([0-9a-f]{24})(?:\/content)?$/;

/** When both fields are present, `image_url` is refused as unknown. */
function isRead(object: SentObject): boolean {
  return 'image_url' in object && !('image' in object);
}

/** A text that is invalid as an id in every notation. */
const NO_ID = '';

function addressOf(image: unknown): string | null {
  const id = (image as { $oid?: unknown } | null)?.$oid;
  return typeof id === 'string' ? `/images/${id}/content` : null;
}

/**
 * The id of the image at an address: the path that replies show, with or without the public address of this service.
 * Any other value becomes one that validation refuses.
 */
function imageOf(address: unknown, publicUrl: string): unknown {
  if (typeof address !== 'string') return address;
  const path = address.startsWith(`${publicUrl}/`) ? address.slice(publicUrl.length) : address;
  return ADDRESS.exec(path)?.[1] ?? NO_ID;
}
