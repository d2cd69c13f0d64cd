import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Annotation, EpisodeAnnotation, EpisodeAnnotationSummary, JsonValue } from '#client';
import { parseObjectLabels } from '../../src/labels/annotation/artifact-schemas.ts';
import { expectAccessible } from '../accessibility.ts';
import { chromiumPath, noBrowser } from '../report-browser.ts';
import { openSharedProject, shoot, type TestProject } from './test-project.ts';
import { wait } from './web-service.ts';

/** Output of object detection for an episode. */
interface Detection {
  readonly labels: readonly string[];
  readonly not_produced?: string;
  readonly produced_at?: string;
  /** True to let the request for the objects fail. */
  readonly fails?: boolean;
}

/** Objects are in the frames from this time. */
const first_s = 1;

/** Returns an artifact with a frame without objects and two frames with one box per label. */
function artifactOf(labels: readonly string[]): Record<string, JsonValue> {
  const frames = [0, first_s, 2].map((time_s) => ({
    ...{ camera: 'front', time_s, width_px: 64, height_px: 48 },
    boxes:
      time_s < first_s ? [] : labels.map((label, at) => ({ label, score: 0.9 - at / 10, box: [1, 1, 9, 9] })),
  }));
  return { frames };
}

function annotationOf(episode_id: string, { labels, not_produced, produced_at }: Detection): Annotation {
  const hash = '0'.repeat(64);
  return {
    ...{
      id: 'ann_1',
      project_id: 'prj_1',
      episode_id,
      layer: 'object_labels',
      job_id: 'job_1',
      run_id: null,
    },
    ...{
      model: null,
      models: [],
      config_hash: hash,
      input_hash: hash,
      artifact_hash: hash,
      media_type: 'application/json',
    },
    ...{ bytes: 1, parts: [], counts: {}, compute_s: 1, device: 'cpu', cost_usd: 0 },
    quality: { signal: 'score', value: 1, reason: null },
    not_produced: not_produced ?? null,
    produced_at: produced_at ?? '2026-01-01T00:00:00.000Z',
    artifact: artifactOf(labels),
  };
}

/** Answers the requests of a page for the annotations of episodes with detections, which may change later. */
async function routeDetections(page: Page, detections: ReadonlyMap<string, Detection>): Promise<void> {
  const find = (url: string) => {
    const id = /\/episodes\/([^/]+)\//.exec(url)?.[1] ?? '';
    return { id, detection: detections.get(id) };
  };
  await page.route(/\/episodes\/[^/]+\/annotations(\?|$)/, (route) => {
    const { id, detection } = find(route.request().url());
    const facts = { episode_id: id, layer: 'object_labels', edited: null } as const;
    const items: readonly EpisodeAnnotationSummary[] =
      detection === undefined
        ? []
        : [{ ...facts, machine: annotationOf(id, detection), links: { annotation: '' } }];
    return route.fulfill({ json: { items, next_cursor: null } });
  });
  await page.route(/\/annotations\/object_labels/, (route) => {
    const { id, detection } = find(route.request().url());
    if (detection === undefined || detection.fails === true)
      return route.fulfill({
        status: 409,
        json: { code: 'hash_mismatch', detail: 'the stored objects are damaged', request_id: 'req_1' },
      });
    const answer: EpisodeAnnotation = {
      ...{ episode_id: id, layer: 'object_labels', edit: null },
      machine: annotationOf(id, detection),
    };
    return route.fulfill({ json: answer });
  });
}

describe.skipIf(chromiumPath === undefined)(
  `objects of episodes in the web application${noBrowser}`,
  { timeout: 240_000 },
  () => {
    let project: TestProject;
    let episodes: readonly { readonly id: string; readonly name: string }[];
    beforeAll(async () => {
      project = await openSharedProject();
      const { service, project_id } = project;
      episodes = (await service.client.episodes.list({ project_id, sort: 'name', limit: 2 })).items;
    }, 240_000);
    afterAll(() => project?.close());

    /** Opens the first episode, by the list, with the detections of each. */
    async function openFirst(detections: ReadonlyMap<string, Detection>): Promise<Page> {
      const page = await project.open('viewer', '/episodes?sort=name');
      await routeDetections(page, detections);
      await page.getByRole('link', { name: episodes[0].name }).first().click();
      await page.getByRole('heading', { level: 1, name: episodes[0].name }).waitFor(wait);
      return page;
    }
    const layers = (page: Page) => page.getByLabel('Layer over the video');
    const listOf = (page: Page) => page.getByRole('region', { name: 'Objects' });

    it('are listed at the time of the player, and lead to the first frame with their label', async () => {
      expect(parseObjectLabels(artifactOf(['cup', 'robot']))?.frames.length).toBe(3);
      const page = await openFirst(new Map([[episodes[0].id, { labels: ['cup', 'robot'] }]]));
      await layers(page).selectOption('Object labels');
      const list = listOf(page);
      await list.getByText('No objects').waitFor(wait);
      await shoot(page, 'objects');
      await list.getByText('2 frames, from 1.00 s').first().waitFor();
      await list.getByRole('button', { name: 'cup' }).click();
      await list.getByText('2 at this time').waitFor(wait);
      await list.getByText('0.90').waitFor();
      expect(Number.parseFloat((await page.textContent('.player-time')) ?? '')).toBeCloseTo(first_s, 1);
      await page.locator('.player').focus();
      await page.keyboard.press('Home');
      await list.getByText('No objects').waitFor(wait);
      await expectAccessible(page);
    });

    it('are those of the newest annotation', async () => {
      const detections = new Map<string, Detection>([[episodes[0].id, { labels: ['cup'] }]]);
      const page = await openFirst(detections);
      await layers(page).selectOption('Object labels');
      await listOf(page).getByRole('button', { name: 'cup' }).waitFor(wait);
      detections.set(episodes[0].id, { labels: ['bottle'], produced_at: '2026-01-02T00:00:00.000Z' });
      await listOf(page).getByRole('button', { name: 'bottle' }).waitFor(wait);
      expect(await listOf(page).getByRole('button', { name: 'cup' }).count()).toBe(0);
    });

    it('are replaced by the error of a failed request, which can be repeated', async () => {
      const detections = new Map<string, Detection>([[episodes[0].id, { labels: ['cup'], fails: true }]]);
      const page = await openFirst(detections);
      await layers(page).selectOption('Object labels');
      const alert = page.getByRole('alert').filter({ hasText: 'The stored objects are damaged' });
      await alert.waitFor(wait);
      detections.set(episodes[0].id, { labels: ['cup'] });
      await alert.getByRole('button', { name: 'Try again' }).click();
      await listOf(page).getByRole('button', { name: 'cup' }).waitFor(wait);
      await alert.waitFor({ state: 'detached' });
    });

    it('are hidden on the next episode if it lacks the layer, and the reason is shown', async () => {
      const detections = new Map<string, Detection>([
        [episodes[0].id, { labels: ['cup'] }],
        [episodes[1].id, { labels: [], not_produced: 'no object was found' }],
      ]);
      const page = await openFirst(detections);
      await layers(page).selectOption('Object labels');
      await listOf(page).waitFor(wait);
      await page.getByRole('link', { name: 'Next →' }).click();
      await page.getByRole('heading', { level: 1, name: episodes[1].name }).waitFor(wait);
      await page.getByText('1 layer without output').click();
      await page.getByText('no object was found').waitFor();
      await page.locator('.player video').first().waitFor(wait);
      expect(await page.locator('.player-layer-note').count()).toBe(0);
      expect(await layers(page).count()).toBe(0);
      await page.getByRole('link', { name: '← Previous' }).click();
      await listOf(page).getByRole('button', { name: 'cup' }).waitFor(wait);
    });
  },
);
