import { carriesImage, type VersionChange } from './version-change.js';

/** `image` became an Image object; it was the image's id before. */
export const imageObject: VersionChange = {
  date: '2019-09-18',
  what: '`image` is an Image object',
  reply: (object) => {
    const { image } = object;
    if (!carriesImage(object) || typeof image !== 'object' || image === null || !('_id' in image))
      return object;
    return { ...object, image: image._id };
  },
};
