import { eventually } from '@commerce/testing';

import type { Checkout } from './checkout.js';
import type { Docker } from './docker.js';

/** The longest that Docker may take to end an interrupted build. */
const PATIENCE_MS = 60_000;

/**
 * Removes the deployed containers, networks, volumes and images.
 * @returns the leftovers in words
 */
export async function remove(checkout: Checkout, docker: Docker): Promise<string[]> {
  await docker.compose(['down', '--volumes', '--remove-orphans', '--timeout', '5']);
  let left: string[] = [];
  const removed = async (): Promise<boolean> => {
    await removeImages(checkout, docker);
    left = await leftovers(checkout, docker);
    return left.length === 0;
  };
  await eventually(removed, Boolean, PATIENCE_MS, { pauseMs: () => 2000 }).catch(() => undefined);
  return left;
}

/** Also removes the containers of interrupted or failed builds, and their unnamed images. */
async function removeImages({ name, label }: Checkout, docker: Docker): Promise<void> {
  for (const id of await docker.list(['ps', '--all', '--quiet', '--filter', `label=${label}`]))
    await docker.tried(['rm', '--force', '--volumes', id]);
  await docker.tried(['image', 'rm', name]);
  await docker.tried(['image', 'prune', '--force', '--filter', `label=${label}`], { minutes: 15 });
}

async function leftovers({ name, label }: Checkout, docker: Docker): Promise<string[]> {
  const project = ['--quiet', '--filter', `label=com.docker.compose.project=${name}`];
  const listings = {
    container: ['ps', '--all', ...project],
    'container of the build': ['ps', '--all', '--quiet', '--filter', `label=${label}`],
    network: ['network', 'ls', ...project],
    volume: ['volume', 'ls', ...project],
    image: ['image', 'ls', '--all', '--quiet', '--filter', `label=${label}`],
  };
  const found: string[] = [];
  for (const [kind, command] of Object.entries(listings))
    for (const id of await docker.list(command)) found.push(`${kind} ${id} is left behind`);
  return found;
}
