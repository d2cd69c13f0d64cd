import type { JsonObject } from '#core';
import type { Export } from '#core/api';
import { counted, size } from '../words.ts';

/** An export in words: `the lerobot-v3 export of 12 episodes (3.4 MB), made 2026-11-24`. */
export function describeExport({ format, episodes, bytes, created_at }: Export): string {
  return `the ${format} export of ${counted(episodes.kept, 'episode')} (${size(bytes)}), made ${created_at.slice(0, 10)}`;
}

/** The same as values. */
export function exportFacts({
  id,
  project_id,
  format,
  status,
  episodes,
  files,
  bytes,
  seal,
}: Export): JsonObject {
  return { export_id: id, project_id, format, status, episodes: episodes.kept, files, bytes, seal };
}
