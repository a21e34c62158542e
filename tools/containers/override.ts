/** The name under which containers reach this machine. */
export const HOST_NAME = 'host.docker.internal';

/** The embedded server, which has no users: for an image that has it and Node, but no mongosh. */
const PORT = '27017';
const EMBEDDED_SERVER = {
  entrypoint: [
    ...['secantusd-rs', '--port', PORT, '--host', '0.0.0.0', '--storage-path', '/data/db'],
    // Without it, a killed server loses commits that it has acknowledged.
    '--sync-on-commit',
  ],
  healthcheck: {
    test: [
      ...['CMD', 'node', '-e'],
      `require('net').connect(${PORT}, '127.0.0.1').on('connect', () => process.exit(0)).on('error', () => process.exit(1))`,
    ],
  },
};
const EMBEDDED_URI = { MONGODB_URI: `mongodb://mongo:${PORT}/commerce?directConnection=true` };

interface Replaced {
  /** True when the database is the embedded server. */
  readonly mongo: boolean;
  /** True when any image is not the official one. */
  readonly any: boolean;
}

/** The test's additions to docker-compose.yml: its own image, and a route to the endpoint on this machine. */
export function override(image: string, replaced: Replaced): object {
  // A machine without access to an image registry may reach the npm registry by a route that its containers lack.
  const own = { image, build: { context: '.', ...(replaced.any ? { network: 'host' } : {}) } };
  const app = { ...own, ...(replaced.mongo ? { environment: EMBEDDED_URI } : {}) };
  const sender = { ...app, extra_hosts: [`${HOST_NAME}:host-gateway`] };
  return {
    services: {
      ...{ api: sender, worker: sender, cli: app, sandbox: own },
      ...(replaced.mongo ? { mongo: EMBEDDED_SERVER } : {}),
    },
  };
}
