import { isObject, JsonDocument } from '../../../shared/fix/json-document.ts';
import { type LeRobotDraft, statisticsPath } from '../draft/draft.ts';
import type { Wrong } from '../statistics/compare.ts';
import type { StatisticsLook } from '../statistics/look.ts';
import { putSetEntry } from '../statistics/put-entry.ts';
import type { Mend } from './mend.ts';

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
    if (wrong === null) continue;
    const { before, after } = wrong;
    putSetEntry(draft, document, key, pooled, { code: codeOf(wrong, absent, used), before, after });
  }
}

function emptyDocument(): JsonDocument {
  const document = JsonDocument.of('{\n    "action": 0\n}\n', statisticsPath);
  document.set(['action'], undefined);
  return document;
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
