import { isFault } from '@commerce/kernel';

import { checkEndpoint } from './endpoint.js';

const GUARDED = { allowPrivate: false };
const PRIVATE = { allowPrivate: true };

function refusal(text: string, rules = GUARDED): unknown {
  try {
    return checkEndpoint(text, rules);
  } catch (error) {
    return isFault(error, 'webhook.endpoint_refused') ? error.details.errors?.[0]?.path : error;
  }
}

describe('checkEndpoint', () => {
  it.each([
    ['https://example.com/hook?a=1#part', 'https://example.com', '/hook?a=1'],
    ['https://example.com', 'https://example.com', '/'],
    ['HTTPS://Example.COM:8443/x', 'https://example.com:8443', '/x'],
    ['https://8.8.8.8/x', 'https://8.8.8.8', '/x'],
    ['https://[2001:4860:4860::8888]/x', 'https://[2001:4860:4860::8888]', '/x'],
    ['https://bücher.example/x', 'https://xn--bcher-kva.example', '/x'],
  ])('takes %s', (text, origin, path) => expect(checkEndpoint(text, GUARDED)).toEqual({ origin, path }));

  it.each([
    'http://example.com/hook',
    'ftp://example.com/',
    'file:///etc/passwd',
    'unix:/var/run/docker.sock',
    'javascript:alert(1)',
    'https:example.com',
    'example.com',
    '',
    'https://',
    'https://user@example.com/',
    'https://user:pass@example.com/',
    'https://:pass@example.com/',
    'https://example.com:0/',
    'https://example.com:65536/',
    'https://127.0.0.1/',
    'https://127.1/',
    'https://127.0.0.1./',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://2130706433/',
    'https://0/',
    'https://0.0.0.0/',
    'https://①②⑦.⓪.⓪.①/',
    'https://[::]/',
    'https://[::1]/',
    'https://[::ffff:7f00:1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[fd00::1]/',
    'https://[fe80::1]/',
    'https://10.1.2.3/',
    'https://192.168.1.1/',
    'https://172.16.0.1/',
    'https://100.64.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://localhost/',
    'https://localhost./',
    'https://LOCALHOST:8443/',
    'https://api.localhost/',
    'https://exa\nmple.com/',
    'https://example.com/\r\nX-Injected: 1',
    'https://example.com/a b',
    ' https://example.com/',
    'https://example.com/\u0000',
    'https://example.com/\ud800',
    `https://example.com/${'a'.repeat(2048)}`,
    `https://${'a.'.repeat(130)}example.com/`,
  ])('refuses %j', (text) => expect(refusal(text)).toBe('endpoint'));

  it.each(['http://127.0.0.1:4000/hook', 'http://localhost/x', 'https://[::1]/', 'http://receiver:80/'])(
    'takes %s where inner addresses are allowed',
    (text) => expect(checkEndpoint(text, PRIVATE).origin).toMatch(/^https?:/),
  );

  it.each([
    'http://a:b@127.0.0.1/',
    'ftp://127.0.0.1/',
    'http://127.0.0.1:0/',
    'http:///',
    'file:///etc/passwd',
  ])('refuses %s even there', (text) => expect(refusal(text, PRIVATE)).toBe('endpoint'));
});
