import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { chromiumPath, openBrowser } from '#test/report-browser';
import { startWebService } from '#test/web/web-service';
import type { Bench, BenchOptions } from '../bench.ts';
import { cameraSet } from '../exports/two-camera-set.ts';

const [first_ms, seek_ms] = [500, 150];
const cameras = ['top', 'wrist', 'left', 'right'].map((name) => `observation.images.${name}`);

/** Four cameras of 640x480 in one episode of a shared file, in the web application: until all show a frame. */
export const playerBench: Bench = {
  id: 'player',
  title: `Four cameras in the player: first frame at most ${first_ms} ms, seek at most ${seek_ms} ms`,
  run: async (options) => {
    if (chromiumPath === undefined) {
      options.print('  left out: there is no chromium here (CHROMIUM_PATH names one)');
      return { passed: true, figures: {} };
    }
    const service = await startWebService();
    const browser = await openBrowser();
    try {
      const set = await cameraSet(options.scratch, options.quick ? 2 : 10, cameras);
      cpSync(set, join(service.recordings, 'set'), { recursive: true });
      const addresses = await assessed(service);
      const page = await service.signedIn(browser, 'viewer');
      const figures = await measure(page, addresses, options);
      return { passed: figures.known_ms <= first_ms && figures.seek_ms <= seek_ms, figures };
    } finally {
      await browser.close();
      await service.stop();
    }
  },
};

async function assessed({ client, recordings, address }: Awaited<ReturnType<typeof startWebService>>) {
  const workspace = await client.workspaces.create({ name: 'lab', use_case: 'data-assessment' });
  const made = { workspace_id: workspace.id, name: 'arms', target_profile: 'behaviour-cloning' } as const;
  const { id: project_id } = await client.projects.create(made);
  const source = await client.sources.create({ project_id, kind: 'folder', path: recordings });
  const run = await client.runs.start({ project_id, source_id: source.id });
  for await (const { event, data } of client.runs.stream({ run_id: run.id }))
    if (event === 'run' && data.status !== 'running' && data.status !== 'queued') break;
  const { items } = await client.episodes.list({ project_id, sort: 'name', limit: 50 });
  return items.map(({ id }) => `${address}/projects/${project_id}/episodes/${id}`);
}

async function measure(page: Page, addresses: readonly string[], { print, quick }: BenchOptions) {
  const [fresh, known, seeks]: number[][] = [[], [], []];
  for (const address of addresses) {
    fresh.push(await firstFrame(page, address));
    known.push(await firstFrame(page, address));
    for (let round = 0; round < (quick ? 3 : 10); round++) seeks.push(await seek(page, round));
  }
  const figures = { new_ms: median(fresh), known_ms: median(known), seek_ms: median(seeks) };
  print(
    `  first frame of all cameras: ${figures.new_ms.toFixed(0)} ms, ${figures.known_ms.toFixed(0)} ms again`,
  );
  print(`  seek of all cameras: ${figures.seek_ms.toFixed(0)} ms`);
  return figures;
}

// Passed as text, because benches are compiled without DOM types.

/** From the player's arrival on the page; what loads the application is not the player's. */
async function firstFrame(page: Page, address: string): Promise<number> {
  await page.goto('about:blank');
  await page.goto(address);
  await page.waitForSelector('.player');
  return page.evaluate(`new Promise((done) => {
    const begun = performance.now();
    const look = () => {
      const all = [...document.querySelectorAll('.player video')];
      if (all.length === ${cameras.length} && all.every(({ readyState }) => readyState >= 2)) done(performance.now() - begun);
      else requestAnimationFrame(look);
    };
    look();
  })`);
}

/** To and fro by a second. */
function seek(page: Page, round: number): Promise<number> {
  const key = round % 2 === 0 ? 'ArrowRight' : 'ArrowLeft';
  return page.evaluate(`(() => {
    const begun = performance.now();
    const all = [...document.querySelectorAll('.player video')];
    const sought = all.map((video) => new Promise((done) => video.addEventListener('seeked', done, { once: true })));
    document.querySelector('.player').dispatchEvent(new KeyboardEvent('keydown', { key: '${key}', bubbles: true }));
    return Promise.all(sought).then(() => performance.now() - begun);
  })()`);
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
