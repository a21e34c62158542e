import { createCommerceClient, type CommerceClient } from 'commerce-service-client';

/** The service's reply. */
export interface Reply {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  /** The parsed JSON; an empty object where there is none. Untyped, because tests read it in many ways. */
  readonly body: any;
}

export interface Credentials {
  readonly apiKey: string;
  /** A service key or a user token. */
  readonly bearer?: string;
}

type Query = Readonly<Record<string, string | number | boolean>>;
type Method = 'get' | 'post' | 'put' | 'delete';

/** A limit beyond every test's own time limit. */
const TIMEOUT_MS = 300_000;

/**
 * Calls a running API as one caller, in tests, in the demo and in benchmarks. Requests and replies go through the
 * published client; besides its results and errors, the whole reply is available, and nothing is sent twice, because
 * tests count requests.
 */
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

  /** The headers of each request of this caller. */
  get headers(): Record<string, string> {
    const { apiKey, bearer } = this.credentials;
    return {
      'x-service-api-key': apiKey,
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      ...this.extra,
    };
  }

  get(path: string, query: Query = {}): Promise<Reply> {
    return this.send('get', path, undefined, query);
  }

  post(path: string, body?: object): Promise<Reply> {
    return this.send('post', path, body);
  }

  put(path: string, body?: object): Promise<Reply> {
    return this.send('put', path, body);
  }

  delete(path: string): Promise<Reply> {
    return this.send('delete', path);
  }

  /** As get, post and put, but any reply except success is thrown with the problem in its message. */
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
    let heard: Reply | null = null;
    const client = createCommerceClient({
      baseUrl: this.baseUrl,
      ...this.credentials,
      retry: { attempts: 1 },
      timeoutMs: TIMEOUT_MS,
      fetch: async (request) => {
        const response = await fetch(request, { redirect: 'manual' });
        const text = await response.text();
        heard = replyOf(response, text);
        return new Response(text === '' ? null : text, response);
      },
    });
    const init = { headers: this.extra, ...(body === undefined ? {} : { body }) };
    const failed = await call(client, method, withQuery(path, query), init).then(
      () => null,
      (error: unknown) => error,
    );
    const reply = heard as Reply | null;
    if (reply === null) throw failed;
    if (reply.status >= 400 && failed === null)
      throw new Error(`the client took ${String(reply.status)} for a success`);
    return reply;
  }
}

type AnyCall = (path: string, init: object) => Promise<unknown>;

/** Paths and bodies of tests are often wrong on purpose; their types are no help here. */
function call(client: CommerceClient, method: Method, path: string, init: object): Promise<unknown> {
  return (client[method] as unknown as AnyCall)(path, init);
}

function withQuery(path: string, query: Query): string {
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) asked.append(name, String(value));
  if (asked.size === 0) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${asked.toString()}`;
}

function replyOf({ status, headers }: Response, text: string): Reply {
  const isJson = /[/+]json\b/.test(headers.get('content-type') ?? '') && text !== '';
  return { status, headers: Object.fromEntries(headers), text, body: isJson ? JSON.parse(text) : {} };
}

function successOf(what: string, { status, body }: Reply): unknown {
  if (status >= 300) throw new Error(`${what} answered ${String(status)}: ${JSON.stringify(body)}`);
  return body;
}

/** The text of an id in a reply. */
export function idIn(value: { readonly _id: { readonly $oid: string } }): string {
  return value._id.$oid;
}
