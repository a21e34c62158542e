import { request } from 'undici';

/** What the service answered. */
export interface Reply {
  readonly status: number;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  /** The parsed JSON; an empty object where there is none. Tests look into it in all sorts of ways. */
  readonly body: any;
}

export interface Credentials {
  readonly apiKey: string;
  /** A service account key or a user token. */
  readonly bearer?: string;
}

type Query = Readonly<Record<string, string | number | boolean>>;
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Speaks to a running API as one caller: in tests, in the demo and in benchmarks. */
export class Client {
  constructor(
    readonly baseUrl: string,
    readonly credentials: Credentials,
    private readonly extra: Readonly<Record<string, string>> = {},
  ) {}

  /** The same caller with further headers. */
  with(headers: Readonly<Record<string, string>>): Client {
    const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
    return new Client(this.baseUrl, this.credentials, { ...this.extra, ...Object.fromEntries(named) });
  }

  as(bearer: string): Client {
    return new Client(this.baseUrl, { ...this.credentials, bearer }, this.extra);
  }

  /** What each request of this caller carries. */
  get headers(): Record<string, string> {
    const { apiKey, bearer } = this.credentials;
    return {
      'x-service-api-key': apiKey,
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      ...this.extra,
    };
  }

  get(path: string, query: Query = {}): Promise<Reply> {
    return this.send('GET', path, undefined, query);
  }

  post(path: string, body?: object): Promise<Reply> {
    return this.send('POST', path, body);
  }

  put(path: string, body?: object): Promise<Reply> {
    return this.send('PUT', path, body);
  }

  delete(path: string): Promise<Reply> {
    return this.send('DELETE', path);
  }

  /** As get, post and put, but anything except success is thrown with the problem in its message. */
  async read<T = any>(path: string, query: Query = {}): Promise<T> {
    return successOf(`GET ${path}`, await this.get(path, query)) as T;
  }

  async made<T = any>(path: string, body?: object): Promise<T> {
    return successOf(`POST ${path}`, await this.post(path, body)) as T;
  }

  async changed<T = any>(path: string, body: object): Promise<T> {
    return successOf(`PUT ${path}`, await this.put(path, body)) as T;
  }

  private async send(method: Method, path: string, body?: object, query: Query = {}): Promise<Reply> {
    const url = new URL(`${this.baseUrl}${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.append(name, String(value));
    const json = body === undefined ? {} : { 'content-type': 'application/json' };
    const response = await request(url, {
      method,
      headers: { ...json, ...this.headers },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.body.text();
    const headers = Object.fromEntries(
      Object.entries(response.headers).map(([name, value]) => [name, value?.toString()]),
    );
    const isJson = /[/+]json\b/.test(headers['content-type'] ?? '') && text !== '';
    return { status: response.statusCode, headers, text, body: isJson ? JSON.parse(text) : {} };
  }
}

function successOf(what: string, { status, body }: Reply): unknown {
  if (status >= 300) throw new Error(`${what} answered ${String(status)}: ${JSON.stringify(body)}`);
  return body;
}

/** The text of an id in a reply. */
export function idIn(value: { readonly _id: { readonly $oid: string } }): string {
  return value._id.$oid;
}
