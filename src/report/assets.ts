import type { ReportAsset } from './report-types.ts';

const names = ['report.css'] as const;

/** The files that every report shares, to be copied beside what the builder gives. */
export const reportAssets: readonly ReportAsset[] = names.map((name) => ({
  path: `assets/${name}`,
  url: new URL(`./client/${name}`, import.meta.url),
}));
