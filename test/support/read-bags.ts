import type { Episode, Finding } from '#core/episode';
import { discover, readers, type Unreadable } from '#formats';
import { bagBytes, type TestBag } from './db3-files.ts';
import { folderWith } from './mcap-files.ts';

const bagReaders = readers.rows.filter(({ id }) => id === 'mcap' || id === 'rosbag2');

export interface ReadFolder {
  readonly items: readonly (Episode | Unreadable)[];
  readonly findings: readonly Finding[];
}

export async function readFolder(files: Readonly<Record<string, Uint8Array | string>>): Promise<ReadFolder> {
  const { datasets, findings } = await discover(folderWith(files), { readers: bagReaders });
  const items: (Episode | Unreadable)[] = [];
  for (const { dataset } of datasets) {
    for (const unit of dataset.units) for await (const item of dataset.read(unit, {})) items.push(item);
    await dataset.close();
  }
  return { items, findings: [...findings, ...datasets.flatMap(({ dataset }) => dataset.findings)] };
}

export async function onlyEpisode(files: Readonly<Record<string, Uint8Array | string>>): Promise<Episode> {
  const { items } = await readFolder(files);
  const [only] = items;
  if (items.length !== 1 || 'unreadable' in only)
    throw new Error(`expected one episode, not ${JSON.stringify(items)}`);
  return only;
}

export const lone = (bag: TestBag): Promise<Episode> => onlyEpisode({ 'level.db3': bagBytes(bag) });
export const codes = ({ findings }: { findings: readonly Finding[] }): string[] =>
  findings.map(({ code }) => code);
export const said = ({ findings }: { findings: readonly Finding[] }, code: string): string =>
  findings.find((finding) => finding.code === code)?.message ?? '';
export const values = ({ streams }: Episode): number[] => [...(streams[0].series?.values ?? [])];
export const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
