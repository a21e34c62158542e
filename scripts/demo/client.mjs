/** How long the demo waits for the worker before it takes something for broken. */
const PATIENCE_MS = 30_000;

/**
 * Speaks to the service as the company's back end would.
 *
 * @param {string} base
 * @param {{api_key: string, service_key: string}} keys
 */
export function createClient(base, { api_key, service_key }) {
  const call = async (method, path, body) => {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: {
        'X-Service-Api-Key': api_key,
        Authorization: `Bearer ${service_key}`,
        'Content-Type': 'application/json',
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${answer.detail}`);
    return answer;
  };
  return {
    get: (path) => call('GET', path),
    post: (path, body = {}) => call('POST', path, body),
    put: (path, body) => call('PUT', path, body),
    delete: (path) => call('DELETE', path),
  };
}

/** The text of a record's id, or of a reference. */
export function idOf(value) {
  return (value._id ?? value).$oid;
}

/**
 * Asks until the answer is as wanted.
 *
 * @template T
 * @param {string} what for the message when it never is
 * @param {() => Promise<T> | T} ask
 * @param {(answer: T) => boolean} wanted
 */
export async function until(what, ask, wanted) {
  for (const end = Date.now() + PATIENCE_MS; ;) {
    const answer = await ask();
    if (wanted(answer)) return answer;
    if (Date.now() > end) throw new Error(`waited ${PATIENCE_MS / 1000} s in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
