import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../report-browser.ts';
import { expectSound, openRoom, type Room } from './rooms.ts';
import { wait } from './web-service.ts';

const reason = chromiumPath === undefined ? ' (skipped: no chromium on this machine)' : '';
const path = '/certification/policy';

describe.skipIf(chromiumPath === undefined)(
  `the policy of certification in the web application${reason}`,
  { timeout: 400_000 },
  () => {
    let room: Room;
    beforeAll(async () => {
      room = await openRoom();
    }, 600_000);
    afterAll(() => room?.close());

    const versions = async () =>
      (await room.service.client.certification.listPolicies({ project_id: room.project_id })).items;

    it('says beside the field what contradicts itself, and saves nothing that was not tried', async () => {
      const page = await room.open('reviewer', path);
      await page.getByText('Nothing is changed').waitFor();
      const review = page.getByLabel(/^Review boundary of Steps of the clock are even/);
      await review.fill('0.1');
      await page.getByText('Try it first').waitFor();
      await page.getByRole('button', { name: 'Try it' }).click();
      const row = page.locator('tr', { hasText: 'Steps of the clock are even' });
      await row.getByText('is stricter than its ideal boundary').waitFor();
      expect(await review.getAttribute('aria-invalid')).toBe('true');
      expect(await page.getByRole('button', { name: 'Save as the next version' }).isDisabled()).toBe(true);
      await review.fill('');
      await page.getByRole('button', { name: 'Try it' }).click();
      await row.getByText(/expected number/).waitFor();
      expect(await versions()).toEqual([]);
    });

    it('tells which verdicts would change before it is saved, saves, and tells what changed', async () => {
      const page = await room.open('reviewer', path);
      const ideal = page.getByLabel(/^Ideal boundary of Pictures and signals show the same motion/);
      await ideal.fill('0');
      await page.getByLabel(/^Review boundary of Pictures and signals/).fill('0');
      await page.getByLabel(/^What Pictures and signals .* weighs/).selectOption('required');
      await page.getByRole('button', { name: 'Try it' }).click();
      const tried = page.getByRole('region', { name: 'What it would change' });
      await tried.waitFor();
      expect(await versions()).toEqual([]);
      const said = await tried.getByRole('status').textContent();
      const changed = Number(/^(\d+) verdicts? of 10 episodes/.exec(said ?? '')?.[1]);
      expect(changed).toBeGreaterThan(0);
      expect(await tried.getByRole('row').count()).toBe(changed + 1);
      await tried
        .getByText(/episode_0000\d\d/)
        .first()
        .waitFor();
      await page.getByRole('button', { name: 'Save as the next version' }).click();
      await page.getByRole('heading', { level: 1, name: 'Certification', exact: true }).waitFor();
      expect(page.url()).toContain('policy=1');
      const [{ policy }] = await versions();
      expect(policy.metrics.find(({ metric }) => metric === 'sync.content_lag')).toMatchObject({
        ...{ need: 'required', ideal: 0, review: 0, source: 'set by a person' },
      });
      await page.getByRole('link', { name: 'Edit the policy' }).click();
      await page.getByText('From the default policy to version 1').waitFor();
      const row = page.getByRole('row', { name: /^sync\.content_lag/ });
      await row.getByText('ideal ≤ 50 ms').waitFor();
      await row.getByText('ideal ≤ 0 ms').waitFor();
    });

    it('may be tried by a viewer, who is told who may save', async () => {
      const page = await room.open('viewer', path);
      await page.getByLabel(/^Ideal boundary of Steps of the clock/).fill('0.3');
      await page.getByRole('button', { name: 'Try it' }).click();
      await page
        .getByText(/^No verdict of 10 episodes would change|would change\.$/)
        .first()
        .waitFor();
      await page.getByText('Needs the role reviewer').waitFor();
      await expect
        .poll(() => page.getByRole('button', { name: 'Save as the next version' }).isDisabled(), wait)
        .toBe(true);
    });

    it('has no fault that axe finds serious, wide and narrow', async () => {
      await expectSound(room, 'reviewer', path, async (page) => {
        await page.getByRole('button', { name: 'Try it' }).click();
        await page.getByRole('region', { name: 'What it would change' }).waitFor();
      });
    });
  },
);
