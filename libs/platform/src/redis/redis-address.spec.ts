import { withoutPassword } from './redis-address.js';

describe('the address of Redis in a message', () => {
  it.each([
    ['redis://127.0.0.1:6379/0', 'redis://127.0.0.1:6379/0'],
    ['redis://:hunter2@redis:6379', 'redis://:***@redis:6379'],
    ['redis://redis:6379?password=hunter2', 'redis://redis:6379'],
    ['rediss://shop:hunter2@redis:6379/1', 'rediss://shop:***@redis:6379/1'],
  ])('shows %s as %s', (address, shown) => {
    expect(withoutPassword(address)).toBe(shown);
  });
});
