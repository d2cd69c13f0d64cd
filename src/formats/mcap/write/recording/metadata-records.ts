import type { ExportEpisode } from '../../../shared/write/set/export-episode.ts';

/** A metadata record of a file: its name and values. */
export type MetadataRecord = readonly [name: string, values: Readonly<Record<string, string>>];

/**
 * What concerns the whole of an episode, a record for each task, flag and finding. Their names are numbered, since readers
 * take one record of a name.
 */
export function metadataRecords({ episode, tasks, judgement }: ExportEpisode): MetadataRecord[] {
  const { id, robot, outcome } = episode;
  const about = {
    episode: id,
    ...(robot === null ? {} : { robot }),
    ...(outcome.value === 'unknown' ? {} : { outcome: outcome.value }),
    ...(judgement === null ? {} : judged(judgement.receipt)),
  };
  const isUntold = episode.tasks !== null && tasks.length === 0;
  const [first, ...rest] = isUntold ? [''] : tasks;
  const { flags = [], findings = [] } = judgement?.receipt ?? {};
  return [
    ['assay', { ...about, ...(first === undefined ? {} : { task: first }) }],
    ...numbered(
      'task',
      rest.map((task) => ({ task })),
    ),
    ...numbered(
      'flag',
      flags.map(({ code, severity, check, message, advice, marks }) => ({
        ...{ code, severity, check, message, advice },
        marks: JSON.stringify(marks),
      })),
    ),
    ...numbered(
      'finding',
      findings.map(({ code, severity, message, advice }) => ({ code, severity, message, advice })),
    ),
  ];
}

const numbered = (name: string, records: readonly MetadataRecord[1][]): MetadataRecord[] =>
  records.map((values, i) => [`assay_${name}_${String(i + 1).padStart(3, '0')}`, values]);

const judged = ({ content_hash, decision, score }: NonNullable<ExportEpisode['judgement']>['receipt']) => ({
  decision,
  receipt: content_hash,
  ...(score === null ? {} : { score: String(score) }),
});
