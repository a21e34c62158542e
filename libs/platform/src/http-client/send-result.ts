/** Why a call got no answer that can be judged by its status line. */
export type SendFailure =
  | 'endpoint_refused'
  | 'dns'
  | 'connect'
  | 'connect_timeout'
  | 'tls'
  | 'timeout'
  | 'reset'
  | 'protocol'
  | 'stopped'
  | 'internal';

/** The result of a call. `durationMs` counts from the call to its end. */
export type SendResult =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** The first 2 KiB of the reply as text. */
      readonly reply: string;
      readonly retryAfter: string | null;
      readonly durationMs: number;
    }
  | {
      readonly kind: 'failed';
      readonly reason: SendFailure;
      readonly detail: string;
      readonly durationMs: number;
    };

const BY_CODE: Readonly<Record<string, SendFailure>> = {
  ENDPOINT_REFUSED: 'endpoint_refused',
  ENOTFOUND: 'dns',
  ENODATA: 'dns',
  ESERVFAIL: 'dns',
  EREFUSED: 'dns',
  ETIMEOUT: 'dns',
  EAI_AGAIN: 'dns',
  EBADNAME: 'dns',
  EBADRESP: 'dns',
  EFORMERR: 'dns',
  ENOTIMP: 'dns',
  UND_ERR_CONNECT_TIMEOUT: 'connect_timeout',
  ETIMEDOUT: 'connect_timeout',
  ECONNREFUSED: 'connect',
  EHOSTUNREACH: 'connect',
  ENETUNREACH: 'connect',
  EADDRNOTAVAIL: 'connect',
  EMFILE: 'connect',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  UND_ERR_HEADERS_OVERFLOW: 'protocol',
  UND_ERR_DESTROYED: 'stopped',
  UND_ERR_CLOSED: 'stopped',
  EPROTO: 'tls',
};

/** Sorts an error of the network into one of a few reasons. */
export function failureOf(error: unknown): { reason: SendFailure; detail: string } {
  const { code, message } = named(error);
  const reason = BY_CODE[code] ?? (/CERT|SSL|TLS|UNABLE_TO_/.test(code) ? 'tls' : 'protocol');
  return { reason, detail: code === '' ? message : `${code}: ${message}` };
}

/** Several addresses may have been tried; then the first one's error says what is wrong. */
function named(error: unknown): { code: string; message: string } {
  const tried = error instanceof AggregateError ? (error.errors as unknown[])[0] : error;
  const { code, message } = (tried ?? {}) as { code?: unknown; message?: unknown };
  return {
    code: typeof code === 'string' ? code : '',
    message: (typeof message === 'string' ? message : String(tried)).slice(0, 300),
  };
}
