import type { Docker } from './docker.js';

/** `name:tag@sha256:digest`, as the Dockerfile and docker-compose.yml name the images from which they start. */
const PINNED = /\b([a-z]+):([\w.-]+)@sha256:[0-9a-f]{64}/g;

export interface Image {
  /** As the files name it. */
  readonly pinned: string;
  /** Which is used for it: the same, or one that the daemon has already; null where there is none. */
  readonly used: string | null;
}

/**
 * The images that a text names, pulled. In the place of one that cannot be pulled the daemon may have an image of the
 * same name and tag, or one that is tagged `stand-in`.
 */
export async function imagesIn(text: string, docker: Docker): Promise<Image[]> {
  const named = new Map(
    [...text.matchAll(PINNED)].map(([pinned, name = '', tag = '']) => [pinned, { name, tag }]),
  );
  const images: Image[] = [];
  for (const [pinned, { name, tag }] of named) {
    const local = [`${name}:${tag}`, `${name}:stand-in`];
    images.push({ pinned, used: (await isHad(pinned, docker)) ? pinned : await firstOf(local, docker) });
  }
  return images;
}

async function isHad(image: string, docker: Docker): Promise<boolean> {
  if (await isLocal(image, docker)) return true;
  return (await docker.tried(['pull', '--quiet', image], { minutes: 10 })).code === 0;
}

async function firstOf(images: readonly string[], docker: Docker): Promise<string | null> {
  for (const image of images) if (await isLocal(image, docker)) return image;
  return null;
}

function isLocal(image: string, docker: Docker): Promise<boolean> {
  return docker.works('image', 'inspect', image);
}
