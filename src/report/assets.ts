import type { ReportAsset } from './report-types.ts';

const names = [
  'base.css',
  'index.css',
  'episode.css',
  'core.js',
  'columns.js',
  'state.js',
  'findings.js',
  'overview.js',
  'check-table.js',
  'virtual-rows.js',
  'posters.js',
  'cells.js',
  'table.js',
  'toolbar.js',
  'index.js',
  'sketch.js',
  'paint.js',
  'lanes.js',
  'lane-groups.js',
  'timeline.js',
  'evidence.js',
  'receipt.js',
  'episode.js',
] as const;

/** The files that every report shares, to be copied beside what the builder gives. */
export const reportAssets: readonly ReportAsset[] = names.map((name) => ({
  path: `assets/${name}`,
  url: new URL(`./client/${name}`, import.meta.url),
}));
