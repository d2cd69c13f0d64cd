import { readFile } from 'node:fs/promises';
import { reportAssets } from '#quality/report';

/** A file that every report has; null where `path` is none of them. */
export async function readReportAsset(path: string): Promise<Uint8Array | null> {
  const asset = reportAssets.find((one) => one.path === path);
  return asset === undefined ? null : readFile(asset.url);
}
