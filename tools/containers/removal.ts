import type { Checkout } from './checkout.js';
import type { Docker } from './docker.js';

/**
 * Removes what was deployed: containers, networks, volumes and images.
 *
 * @returns what is still there, in words
 */
export async function remove({ name, label }: Checkout, docker: Docker): Promise<string[]> {
  await docker.compose(['down', '--volumes', '--remove-orphans', '--timeout', '5']);
  // There is none if the build has failed.
  await docker.tried(['image', 'rm', name]);
  await docker.run(['image', 'prune', '--force', '--filter', `label=${label}`], { minutes: 15 });
  const project = ['--quiet', '--filter', `label=com.docker.compose.project=${name}`];
  const listings = {
    container: ['ps', '--all', ...project],
    network: ['network', 'ls', ...project],
    volume: ['volume', 'ls', ...project],
    image: ['image', 'ls', '--all', '--quiet', '--filter', `label=${label}`],
  };
  const found: string[] = [];
  for (const [kind, command] of Object.entries(listings))
    for (const id of await docker.list(command)) found.push(`${kind} ${id} is left behind`);
  return found;
}
