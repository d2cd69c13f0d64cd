import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext, Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createClient } from '#client';
import { expectAccessible } from '../accessibility.ts';
import { chromiumPath, noBrowser, openBrowser, watchPage } from '../report-browser.ts';
import { joinWebService, type WebService, wait } from './web-service.ts';

describe.skipIf(chromiumPath === undefined)(
  `signing in and administration in the web application${noBrowser}`,
  { timeout: 180_000 },
  () => {
    let service: WebService;
    let context: BrowserContext;
    let page: Page;
    let seen: ReturnType<typeof watchPage>;
    beforeAll(async () => {
      service = await joinWebService();
    }, 300_000);
    beforeEach(async () => {
      context = await openBrowser();
      page = await context.newPage();
      page.setDefaultTimeout(wait.timeout);
      seen = watchPage(page);
    });
    afterEach(() => context?.close());

    const projects = () => page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor();
    const form = () => page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    const newLink = async () =>
      `${service.address}/#sign-in=${(await service.client.tenant.createSignInLink()).token}`;

    it('accepts a link once, removes its token from the address, and sets a cookie that no script can read', async () => {
      const link = await newLink();
      await page.goto(link);
      await projects();
      expect(page.url()).toBe(`${service.address}/`);
      const [cookie] = await context.cookies();
      expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' });
      const kept = 'JSON.stringify([document.cookie, { ...sessionStorage }, { ...localStorage }])';
      expect(await page.evaluate(kept)).not.toContain('asy_');
      expect(seen.complaints).toEqual([]);
      expect(seen.requests.filter((url) => !url.startsWith(service.address) || url.includes('asy_'))).toEqual(
        [],
      );
      await page.reload();
      await projects();
      await context.clearCookies();
      await page.goto(`${service.address}/projects`);
      await page.goto(link);
      await form();
      expect(await page.getByRole('alert').textContent()).toContain('invalid, used, revoked or expired');
      expect(page.url()).toBe(`${service.address}/`);
    });

    it('accepts a pasted token, rejects other text, and signs out', async () => {
      await page.goto(service.address);
      await form();
      await expectAccessible(page);
      const field = page.getByLabel('Token or sign-in link');
      await field.fill('nonsense');
      await page.keyboard.press('Enter');
      await page.getByText('Invalid token').waitFor();
      const { token } = await service.client.tenant.createToken({ name: 'Ada', role: 'viewer' });
      await field.fill(token);
      await page.keyboard.press('Enter');
      await projects();
      await page.getByRole('button', { name: 'Ada viewer' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await form();
      expect(await context.cookies()).toEqual([]);
      // Signing out does not revoke a token that was pasted.
      expect((await createClient({ address: service.address, token }).tenant.whoami()).role).toBe('viewer');
    });

    it('ends the token of a link on signing out', async () => {
      await page.goto(await newLink());
      await projects();
      const [{ value: token }] = await context.cookies();
      const own = createClient({ address: service.address, token });
      expect((await own.tenant.whoami()).role).toBe('admin');
      await page.getByRole('button', { name: 'browser session admin' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await form();
      await expect(own.tenant.whoami()).rejects.toMatchObject({ code: 'unauthenticated' });
    });

    it('ignores the cookie in requests from pages of another port', async () => {
      await page.goto(await newLink());
      await projects();
      const [{ name, value }] = await context.cookies();
      const headers = { cookie: `${name}=${value}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ name: 'forged', role: 'admin' });
      const post = (more: Record<string, string>) =>
        fetch(`${service.address}/v1/tokens`, { method: 'POST', headers: { ...headers, ...more }, body });
      expect((await post({ 'sec-fetch-site': 'same-site' })).status).toBe(401);
      expect((await post({ 'sec-fetch-site': 'none' })).status).toBe(401);
      expect((await post({ origin: 'http://127.0.0.1:9' })).status).toBe(401);
      expect((await post({})).status).toBe(401);
      expect((await post({ 'sec-fetch-site': 'same-origin' })).status).toBe(201);
      const other = createServer((_request, answer) => answer.end('<!doctype html>')).listen(0, '127.0.0.1');
      await new Promise((resolve) => other.once('listening', resolve));
      await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}`);
      const asked = `fetch('${service.address}/v1/session', { method: 'DELETE', mode: 'no-cors', credentials: 'include' }).then(() => 'sent', () => 'refused')`;
      expect(await page.evaluate(asked)).toBe('refused');
      await page.goto(service.address);
      await projects();
      other.close();
    });

    it('answers addresses of screens with the page, and those of the API as before', async () => {
      const status = async (path: string, accept = 'text/html') =>
        (await fetch(service.address + path, { headers: { accept } })).status;
      expect(await status('/projects/prj_x/episodes')).toBe(200);
      expect(await status('/projects/prj_x/episodes', 'application/json')).toBe(404);
      expect(await status('/v1/nothing')).toBe(404);
      expect(await status('/assets/nothing.js')).toBe(404);
      expect(await status('/assets/..%2findex.html')).toBe(404);
      const answer = await fetch(`${service.address}/`);
      const policy = answer.headers.get('content-security-policy');
      expect(policy).toMatch(/default-src 'none'; script-src 'self'; style-src 'self';/);
      expect(policy).not.toContain('unsafe');
      const [, script] = /src="(\/assets\/[^"]+\.js)"/.exec(await answer.text())!;
      const loaded = await fetch(service.address + script, { headers: { 'accept-encoding': 'gzip' } });
      expect(loaded.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(loaded.headers.get('content-encoding')).toBe('gzip');
    });

    it('loads less than 350 kB of script, as sent, for the first screen', async () => {
      const sizes: Promise<{ responseBodySize: number }>[] = [];
      page.on('requestfinished', (request) => {
        if (request.resourceType() === 'script') sizes.push(request.sizes());
      });
      await page.goto(await newLink());
      await projects();
      await page.waitForLoadState('networkidle');
      const bytes = (await Promise.all(sizes)).reduce(
        (sum, { responseBodySize }) => sum + responseBodySize,
        0,
      );
      expect(bytes).toBeGreaterThan(50_000);
      expect(bytes).toBeLessThan(350_000);
    });

    it('invites a person, whose link signs them in', async () => {
      await page.goto(await newLink());
      await projects();
      await page.goto(`${service.address}/team`);
      await page.getByLabel('Name', { exact: true }).fill('Grace');
      await page.getByLabel('Email address').fill('grace@example.org');
      await page.getByRole('button', { name: 'Invite' }).click();
      const link = await page.locator('.shown-once code').textContent();
      const other = await openBrowser();
      const hers = await other.newPage();
      await hers.goto(link ?? '');
      await hers.getByRole('button', { name: 'Grace viewer' }).waitFor();
      await hers.goto(`${service.address}/team`);
      await hers.getByText('Only admins can see users and tokens.').waitFor();
      await other.close();
    });

    it('lets an admin change the budget', async () => {
      const admin = await service.signedIn(context, 'admin', '/budget');
      await admin.getByLabel(/^Weekly cap/).fill('25');
      await admin.getByRole('button', { name: 'Save cap' }).click();
      await admin.getByText('$25.00').first().waitFor();
      expect((await service.client.budget.get()).cap_usd).toBe(25);
    });
  },
);
