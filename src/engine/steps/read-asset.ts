import { readFile } from 'node:fs/promises';
import { reportAssets } from '#quality/report';

/** Reads a static file of the report; null if `path` is not one. */
export async function readReportAsset(path: string): Promise<Uint8Array | null> {
  const asset = reportAssets.find((one) => one.path === path);
  return asset === undefined ? null : readFile(asset.url);
}
