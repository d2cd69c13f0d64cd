import { isObject, JsonDocument } from '../../json-document.ts';
import { camerasOf, type LeRobotDraft, statisticsPath } from '../draft/draft.ts';
import { flatNumbers, type StatisticsEntry } from '../draft/statistics-entry.ts';
import type { Wrong } from '../statistics/compare.ts';
import type { StatisticsLook } from '../statistics/look.ts';
import { changed, type Mend, unfixed } from './mend.ts';

type Code = Mend['answers'][number];

/** meta/stats.json agrees with the rows; what does not is pooled from the episodes' statistics, as the library does. */
export function mendSetStatistics(draft: LeRobotDraft, look: StatisticsLook): void {
  // v2.1 pools the episodes' lines whenever it opens a set, and reads no such file.
  const used = draft.layout === 'v3' || !look.kept;
  if (draft.setStatistics === null && !used) return;
  const absent = draft.setStatistics === null;
  const document = draft.setStatistics ?? emptyDocument();
  draft.setStatistics = document;
  for (const { key } of look.features) {
    const moments = look.moments.get(key);
    const pooled = look.pools.get(key)?.entry() ?? null;
    if (moments === undefined || pooled === null || look.partial.has(key)) continue;
    const entry = document.value[key];
    const wrong = moments.wrong(isObject(entry) ? { ...entry } : undefined, look.quantiles);
    if (wrong !== null) put(draft, document, key, pooled, wrong, codeOf(wrong, absent, used));
  }
  for (const camera of camerasOf(draft.info.value)) mendCamera(draft, document, look, camera, absent);
}

function emptyDocument(): JsonDocument {
  const document = JsonDocument.of('{\n    "action": 0\n}\n', statisticsPath);
  document.set(['action'], undefined);
  return document;
}

/** Pictures are not decoded here: their statistics are pooled where the episodes have them. */
function mendCamera(
  draft: LeRobotDraft,
  document: JsonDocument,
  look: StatisticsLook,
  camera: string,
  absent: boolean,
): void {
  const entry = document.value[camera];
  const mean = isObject(entry) ? flatNumbers(entry.mean) : null;
  if (mean?.every(Number.isFinite) === true) return;
  const pooled = look.pools.get(camera)?.entry() ?? null;
  const wrong: Wrong = { kind: 'missing', before: mean === null ? 'absent' : 'no numbers', after: 'pooled' };
  if (pooled !== null)
    put(draft, document, camera, pooled, wrong, absent ? 'stats_missing' : 'camera_stats_missing');
  else if (camerasOf(draft.info.value).some((one) => isObject(document.value[one])))
    unfixed(draft, 'camera_stats_missing', {
      path: statisticsPath,
      message: `${camera} has no statistics, and they cannot be computed without decoding its pictures`,
      advice: 'Train with --dataset.use_imagenet_stats=true, or compute them with the library.',
    });
}

function put(
  draft: LeRobotDraft,
  document: JsonDocument,
  key: string,
  entry: StatisticsEntry,
  wrong: Wrong,
  code: Code,
): void {
  document.set([key], entry);
  changed(draft, { id: 'statistics' }, [code], {
    path: statisticsPath,
    what: key,
    before: wrong.before,
    after: wrong.after,
  });
}

function codeOf({ kind }: Wrong, absent: boolean, used: boolean): Code {
  if (absent) return 'stats_missing';
  if (!used) return 'unused_stats_wrong';
  if (kind === 'missing') return 'stats_incomplete';
  if (kind === 'not_a_number') return 'stats_not_a_number';
  if (kind === 'std_zero') return 'stats_std_zero';
  if (kind === 'quantiles_absent') return 'stats_quantiles_absent';
  return kind === 'quantiles' ? 'stats_quantiles_wrong' : 'set_stats_wrong';
}
