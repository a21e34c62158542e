import supertest, { type Response } from 'supertest';

export interface Credentials {
  readonly apiKey: string;
  /** A service account key or a user token. */
  readonly bearer?: string;
}

/** Speaks to a running API as one caller. */
export class Client {
  constructor(
    readonly baseUrl: string,
    readonly credentials: Credentials,
    private readonly extra: Readonly<Record<string, string>> = {},
  ) {}

  /** The same caller with further headers. */
  with(headers: Readonly<Record<string, string>>): Client {
    return new Client(this.baseUrl, this.credentials, { ...this.extra, ...headers });
  }

  as(bearer: string): Client {
    return new Client(this.baseUrl, { ...this.credentials, bearer }, this.extra);
  }

  get(path: string, query: Readonly<Record<string, string | number | boolean>> = {}): Promise<Response> {
    return this.send('get', path, undefined, query);
  }

  post(path: string, body?: object): Promise<Response> {
    return this.send('post', path, body);
  }

  put(path: string, body?: object): Promise<Response> {
    return this.send('put', path, body);
  }

  delete(path: string): Promise<Response> {
    return this.send('delete', path);
  }

  /** As post, but anything except success fails the test with the problem in its message. */
  async made(path: string, body?: object): Promise<any> {
    return ok(await this.post(path, body));
  }

  async read(path: string, query: Readonly<Record<string, string | number | boolean>> = {}): Promise<any> {
    return ok(await this.get(path, query));
  }

  private async send(
    method: 'get' | 'post' | 'put' | 'delete',
    path: string,
    body?: object,
    query: Readonly<Record<string, string | number | boolean>> = {},
  ): Promise<Response> {
    const request = supertest(this.baseUrl)
      [method](path)
      .query(query)
      .set('X-Service-Api-Key', this.credentials.apiKey);
    if (this.credentials.bearer !== undefined)
      void request.set('Authorization', `Bearer ${this.credentials.bearer}`);
    for (const [name, value] of Object.entries(this.extra)) void request.set(name, value);
    return body === undefined ? request : request.send(body);
  }
}

function ok(response: Response): unknown {
  if (response.status >= 300) {
    throw new Error(`${String(response.status)} ${JSON.stringify(response.body)}`);
  }
  return response.body;
}

/** The text of an id in a reply. */
export function idIn(value: { _id: { $oid: string } }): string {
  return value._id.$oid;
}

/** Asks again until the answer is as wanted; fails with the last answer. */
export async function eventually<T>(
  ask: () => Promise<T>,
  wanted: (answer: T) => boolean,
  timeoutMs = 20_000,
): Promise<T> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (wanted(answer)) return answer;
    if (Date.now() > end)
      throw new Error(`waited in vain; the last answer was ${JSON.stringify(answer).slice(0, 2000)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
