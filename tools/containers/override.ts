/** The name by which containers reach this machine. */
export const HOST_NAME = 'host.docker.internal';

/** The embedded server, which knows no users: for an image that has it and Node, but no mongosh. */
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
  /** Whether the database is the embedded server. */
  readonly mongo: boolean;
  /** Whether any image is not the official one. */
  readonly any: boolean;
}

/** What the test adds to docker-compose.yml: an image of its own, and a way to the endpoint on this machine. */
export function override(image: string, replaced: Replaced): object {
  // A machine that reaches no registry of images may have a way to that of npm which its containers do not have.
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
