import fc from 'fast-check';
import ipaddr from 'ipaddr.js';

import { isGlobalAddress, isLocalName } from './address.js';

describe('isGlobalAddress', () => {
  it.each([
    '8.8.8.8',
    '93.184.216.34',
    '172.15.255.255',
    '172.32.0.1',
    '100.63.255.255',
    '2001:4860:4860::8888',
    '2606:4700::1111',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
  ])('lets %s through', (address) => expect(isGlobalAddress(address)).toBe(true));

  it.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.8',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.0.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:169.254.169.254',
    '::ffff:0:127.0.0.1',
    '64:ff9b::127.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::8.8.8.8',
    '2002:7f00:1::1',
    '2002:a9fe:a9fe::1',
    '2001:0:7f00:1::1',
    // The client of a Teredo address is written with its bits turned over: this one is 127.0.0.1.
    '2001:0:808:808::80ff:fffe',
    '100::1',
    '2001:2::1',
    '2001:db8::1',
    '3fff::1',
    '4000::1',
    '5f00::1',
    'fc00::1',
    'fd00::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '',
    'localhost',
    '8.8.8.8.8',
  ])('refuses %s', (address) => expect(isGlobalAddress(address)).toBe(false));

  it('judges an IPv4 address the same in every IPv6 dress', () => {
    fc.assert(
      fc.property(fc.ipV4(), (v4) => {
        const plain = isGlobalAddress(v4);
        const [a = 0, b = 0, c = 0, d = 0] = ipaddr.IPv4.parse(v4).octets;
        const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
        for (const dressed of [`::ffff:${v4}`, `::ffff:${hex}`, `64:ff9b::${hex}`, `2002:${hex}::1`]) {
          expect([dressed, isGlobalAddress(dressed)]).toEqual([dressed, plain]);
        }
      }),
    );
  });
});

describe('isLocalName', () => {
  it.each(['localhost', 'LOCALHOST.', 'a.localhost', 'a.localhost.'])('knows %s', (name) =>
    expect(isLocalName(name)).toBe(true),
  );
  it.each(['localhost.example.com', 'notlocalhost', 'example.com'])('does not mean %s', (name) =>
    expect(isLocalName(name)).toBe(false),
  );
});
