import { World } from '../world.js';

let world: World;
beforeAll(async () => {
  world = await World.start({ worker: false });
});
afterAll(() => world.stop());

const at = (path: string): Promise<Response> => fetch(`${world.baseUrl}${path}`);

describe('/docs', () => {
  it('is a page that loads nothing from elsewhere, and keeps the entered keys', async () => {
    const page = await at('/docs');
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const html = await page.text();
    const loaded = [...html.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, address]) => address!);
    expect(loaded.length).toBeGreaterThan(3);
    expect(loaded.filter((address) => /^(https?:)?\/\//.test(address))).toEqual([]);
    const setup = await (await at('/docs/swagger-ui-init.js')).text();
    expect(setup).toContain('"persistAuthorization": true');
    for (const address of loaded) {
      const asset = await at(`/docs/${address.replace(/^\.?\/?(docs\/)?/, '')}`);
      expect([address, asset.status]).toEqual([address, 200]);
      expect((await asset.arrayBuffer()).byteLength).toBeGreaterThan(0);
    }
  });

  it('shows the document that /docs-json serves, which is openapi.json', async () => {
    const served: any = await (await at('/docs-json')).json();
    expect(served.openapi).toBe('3.1.0');
    expect(Object.keys(served.paths).length).toBeGreaterThan(40);
  });
});
