import createFetchClient, { type MaybeOptionalInit } from 'openapi-fetch';
import type { HttpMethod, PathsWithMethod, SuccessResponseJSON } from 'openapi-typescript-helpers';

import {
  AuthenticationRequired,
  CommerceProblem,
  CommerceUnavailable,
  type ProblemDocument,
} from './problem.js';
import { DEFAULT_RETRY, retrying, type RetryOptions } from './retry.js';
import type { paths } from './schema.js';
import { decode, encode, type Decoded, type Encodable } from './values.js';

export interface ClientOptions {
  /** Where the service runs, such as `https://commerce.example.com`. */
  readonly baseUrl: string;
  /** `pk_test_…` or `pk_live_…`. */
  readonly apiKey: string;
  /** A service key, `sk_…`, for an Admin; a user token for a User; left out for public reads. */
  readonly bearer?: string;
  /** The interface as of a day, `YYYY-MM-DD`; the newest when left out. */
  readonly version?: string;
  readonly retry?: Partial<RetryOptions>;
  /** For one attempt, in milliseconds. */
  readonly timeoutMs?: number;
  readonly fetch?: (request: Request) => Promise<Response>;
}

type Operation<P extends keyof paths, M extends HttpMethod> = M extends keyof paths[P] ? paths[P][M] : never;

/** What a call returns: the reply of a success, with ids as strings and dates as Date; a Blob where it is a file. */
export type Reply<P extends keyof paths, M extends HttpMethod> = P extends FilePath
  ? Blob
  : Operation<P, M> extends infer O extends Record<string | number, unknown>
    ? Decoded<SuccessResponseJSON<O>>
    : never;

/** What answers with the bytes of a file. */
type FilePath = '/images/{id}/content' | '/invoices/{id}.pdf' | '/invoices/{id}.html' | '/invoices/{id}.xml';
const FILE_PATHS: ReadonlySet<string> = new Set<FilePath>([
  '/images/{id}/content',
  '/invoices/{id}.pdf',
  '/invoices/{id}.html',
  '/invoices/{id}.xml',
]);

type Init<P extends keyof paths, M extends HttpMethod> = MaybeOptionalInit<paths[P], M & keyof paths[P]>;

/** A Date may stand wherever a body takes milliseconds, a Blob where it takes a file. */
type Call<P extends keyof paths, M extends HttpMethod> =
  Init<P, M> extends infer I
    ? undefined extends I
      ? [init?: Written<NonNullable<I>, Operation<P, M>>]
      : [init: Written<I, Operation<P, M>>]
    : never;

type Written<I, O> = {
  [K in keyof I]: K extends 'body' ? (O extends TakesFile ? Files<I[K]> : Encodable<I[K]>) : I[K];
};

interface TakesFile {
  requestBody: { content: { 'multipart/form-data': unknown } };
}

type Files<T> = { [K in keyof T]: Blob };

/** The element of a list route. */
type Item<P extends keyof paths> = Reply<P, 'get'> extends readonly (infer E)[] ? E : never;

/** Speaks to the service as one caller. */
export interface CommerceClient {
  get<P extends PathsWithMethod<paths, 'get'>>(path: P, ...init: Call<P, 'get'>): Promise<Reply<P, 'get'>>;
  post<P extends PathsWithMethod<paths, 'post'>>(
    path: P,
    ...init: Call<P, 'post'>
  ): Promise<Reply<P, 'post'>>;
  put<P extends PathsWithMethod<paths, 'put'>>(path: P, ...init: Call<P, 'put'>): Promise<Reply<P, 'put'>>;
  delete<P extends PathsWithMethod<paths, 'delete'>>(
    path: P,
    ...init: Call<P, 'delete'>
  ): Promise<Reply<P, 'delete'>>;
  /** Every record of a list, page by page, by `after`: what is added meanwhile shifts nothing. */
  pages<P extends PathsWithMethod<paths, 'get'>>(path: P, ...init: Call<P, 'get'>): AsyncGenerator<Item<P>>;
  /** The same client as another caller. */
  as(bearer: string): CommerceClient;
}

/** Makes a client. Every write carries an Idempotency-Key and is retried safely. */
export function createCommerceClient(options: ClientOptions): CommerceClient {
  const { baseUrl, apiKey, bearer, version, timeoutMs = 30_000 } = options;
  const send = options.fetch ?? ((request: Request) => globalThis.fetch(request));
  const client = createFetchClient<paths>({
    baseUrl,
    fetch: retrying(send, { ...DEFAULT_RETRY, ...options.retry }, timeoutMs),
    headers: {
      'X-Service-Api-Key': apiKey,
      ...(bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }),
      ...(version === undefined ? {} : { 'X-Service-Version': version }),
    },
    bodySerializer: (body) => formOf(body) ?? JSON.stringify(encode(body)),
  });
  const call = async (
    method: HttpMethod,
    path: string,
    init: unknown,
    answered: (answer: Answer) => unknown = read,
  ): Promise<unknown> => {
    try {
      const asked = FILE_PATHS.has(path) ? { parseAs: 'blob', ...(init as object) } : init;
      const answer = await client.request(method as never, path as never, asked as never);
      return answered(answer);
    } catch (error) {
      if (error instanceof CommerceProblem || error instanceof AuthenticationRequired) throw error;
      if (error instanceof CommerceUnavailable) throw error;
      throw new CommerceUnavailable('The service gave no answer', { cause: error });
    }
  };
  const made = {
    get: (path: string, init?: unknown) => call('get', path, init),
    post: (path: string, init?: unknown) => call('post', path, init),
    put: (path: string, init?: unknown) => call('put', path, init),
    delete: (path: string, init?: unknown) => call('delete', path, init),
    pages: (path: string, init?: PageInit) =>
      pages((next) => call('get', path, next, pageOf) as Promise<Listed>, init),
    as: (other: string) => createCommerceClient({ ...options, bearer: other }),
  };
  return made as unknown as CommerceClient;
}

/** The form that carries a file; null where the body holds none. */
function formOf(body: unknown): FormData | null {
  const fields = Object.entries((body ?? {}) as Record<string, unknown>);
  if (!fields.some(([, value]) => value instanceof Blob)) return null;
  const form = new FormData();
  for (const [name, value] of fields) form.set(name, value instanceof Blob ? value : String(value));
  return form;
}

interface Answer {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Response;
}

function read({ data, error, response }: Answer): unknown {
  if (error === undefined && response.ok) return decode(data);
  if (isProblem(error)) throw new CommerceProblem(decode(error) as ProblemDocument);
  if (response.status === 422 && typeof error === 'object' && error !== null) {
    throw new AuthenticationRequired(decode(error) as Record<string, unknown>);
  }
  throw new CommerceUnavailable(`The service answered ${String(response.status)} without a problem document`);
}

function isProblem(value: unknown): value is ProblemDocument {
  const { code, status } = (value ?? {}) as { code?: unknown; status?: unknown };
  return typeof code === 'string' && typeof status === 'number';
}

interface PageInit {
  readonly params?: { readonly query?: Readonly<Record<string, unknown>> };
}

const PAGE_SIZE = 100;

/** A page of a list, and whether another follows. A page may end early, where it would become too large. */
interface Listed {
  readonly records: readonly Record<string, unknown>[];
  readonly hasNext: boolean;
}

function pageOf(answer: Answer): Listed {
  const hasNext = /;\s*rel="?next"?/.test(answer.response.headers.get('Link') ?? '');
  return { records: read(answer) as Listed['records'], hasNext };
}

async function* pages(list: (init: PageInit) => Promise<Listed>, init: PageInit = {}): AsyncGenerator {
  const { size = PAGE_SIZE, ...asked } = init.params?.query ?? {};
  for (let after: unknown = undefined; ;) {
    const query = { ...asked, size, ...(after === undefined ? {} : { after }) };
    const { records, hasNext } = await list({ ...init, params: { ...init.params, query } });
    yield* records;
    const last = records.at(-1);
    if (last === undefined || !hasNext) return;
    after = last['_id'] ?? last['id'];
  }
}
