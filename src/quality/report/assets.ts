import type { ReportAsset } from './report-types.ts';

/** Source files, each written out so that tools that follow imports see that they are used. */
const assetUrls: readonly URL[] = [
  new URL('./client/base.css', import.meta.url),
  new URL('./client/index.css', import.meta.url),
  new URL('./client/still.css', import.meta.url),
  new URL('./client/episode/episode.css', import.meta.url),
  new URL('./client/episode/timeline.css', import.meta.url),
  new URL('./client/core.js', import.meta.url),
  new URL('./client/shared.js', import.meta.url),
  new URL('./client/columns.js', import.meta.url),
  new URL('./client/state.js', import.meta.url),
  new URL('./client/findings.js', import.meta.url),
  new URL('./client/overview.js', import.meta.url),
  new URL('./client/check-table.js', import.meta.url),
  new URL('./client/virtual-rows.js', import.meta.url),
  new URL('./client/posters.js', import.meta.url),
  new URL('./client/cells.js', import.meta.url),
  new URL('./client/table.js', import.meta.url),
  new URL('./client/toolbar.js', import.meta.url),
  new URL('./client/issues.js', import.meta.url),
  new URL('./client/print.js', import.meta.url),
  new URL('./client/index.js', import.meta.url),
  new URL('./client/episode/sketch.js', import.meta.url),
  new URL('./client/episode/marks.js', import.meta.url),
  new URL('./client/episode/layers.js', import.meta.url),
  new URL('./client/episode/camera-lane.js', import.meta.url),
  new URL('./client/episode/row-groups.js', import.meta.url),
  new URL('./client/episode/panels.js', import.meta.url),
  new URL('./client/episode/flags.js', import.meta.url),
  new URL('./client/episode/components.js', import.meta.url),
  new URL('./client/episode/evidence.js', import.meta.url),
  new URL('./client/episode/receipt.js', import.meta.url),
  new URL('./client/episode/episode.js', import.meta.url),
];

/** Files that every report shares; copy them next to the builder's files. */
export const reportAssets: readonly ReportAsset[] = assetUrls.map(createAsset);

/** Additional files of reports with films. */
export const filmAssets: readonly ReportAsset[] = [
  new URL('./client/episode/films.css', import.meta.url),
  new URL('./client/episode/films.js', import.meta.url),
].map(createAsset);

function createAsset(url: URL): ReportAsset {
  return { path: `assets/${url.pathname.slice(url.pathname.lastIndexOf('/') + 1)}`, url };
}
