import { charge, priceOf, release, reserve, usdUp } from '#engine/budget';
import type { Film } from '#io/media';
import type { FilmedCamera } from './make-video.ts';

/** Under which films stand in prices and costs, beside `readiness` and the annotation layers. */
const costName = 'video';
/** Figures to plan with: decoding and coding of a frame on one core, and what a film takes besides. */
const frame_s = 0.03;
const film_s = 1;

/**
 * Has a film made while money is put aside for it, and charges what it took; also where nothing came of it what was put
 * aside is given back. Throws `budget_exceeded`, and what `make` throws.
 */
export async function payVideo(
  { store, scope, found: { episode } }: FilmedCamera,
  frames: number,
  make: () => Promise<Film>,
): Promise<Film> {
  const price_usd_per_s = priceOf(store.prices, costName, 'cpu');
  const estimate_usd = usdUp((film_s + frames * frame_s) * price_usd_per_s);
  if (estimate_usd === 0) return make();
  const till = () => ({ store, scope, now: new Date() });
  const purpose = { purpose_id: episode.id, project_id: episode.project_id };
  const reservation = await reserve(till(), purpose, estimate_usd);
  try {
    const film = await make();
    const { cpu_s: compute_s } = film;
    const measured = { layer: costName, model: null, compute_s, amount_usd: compute_s * price_usd_per_s };
    await charge(till(), purpose, reservation, measured);
    return film;
  } finally {
    await release(till(), reservation);
  }
}
