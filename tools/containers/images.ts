import type { Docker } from './docker.js';

/** `name:tag@sha256:digest`, the notation of the base images in the Dockerfile and docker-compose.yml. */
const PINNED = /\b([a-z]+):([\w.-]+)@sha256:[0-9a-f]{64}/g;

export interface Image {
  /** The name in the files. */
  readonly pinned: string;
  /** The image used for it: the same, or one that the daemon already has; null when there is none. */
  readonly used: string | null;
}

/**
 * Pulls the images that a text names. An image that cannot be pulled is replaced by a local one of the same name and
 * tag, or one that is tagged `stand-in`.
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
