import { atLeast, type Judged, type Said } from './judge.ts';
import { sayServed } from './oracle.ts';
import type { Tried } from './run-modes.ts';

/** A line for every set: what was planted, whether it was named, what was said of it, what the loader did. */
export function tableOf(tried: readonly Tried[]): string[] {
  return tried.map(({ planned, told, judged, served }) => {
    const said = told.said.filter(({ severity }) => severity !== 'info');
    const named = judged.some(({ codes }) => codes.length > 0) ? judged.flatMap(({ by }) => by) : [];
    const cells = [
      `${planned.id} (${planned.set.version})`,
      judged.length === 0 ? 'clean' : judged.map(outcomeOf).join('; '),
      `said: ${sayings([...new Set([...named, ...said])])}`,
      `decisions: ${Object.values(told.decisions)
        .map((decision) => ({ accept: 'a', review: 'v', reject: 'R' })[decision] ?? '?')
        .join('')}`,
      `says it loads: ${told.loads === null ? 'nothing' : [told.loads.loads, ...told.loads.why.map(({ rule }) => rule)].join(' ')}`,
      `loader: ${served === null ? 'not asked' : sayServed(served)}`,
    ];
    return cells.join(' | ');
  });
}

function outcomeOf({ mode, row, episodes, set, least, named, severe }: Judged): string {
  const where = [...(set ? ['set'] : []), ...episodes.map((episode) => `e${episode}`)].join(',');
  const outcome = severe ? 'NAMED' : named ? 'TOO MILD' : 'NOT NAMED';
  return `${outcome}: ${mode} (row ${row}), expected ${least} on ${where}`;
}

/** Codes with severity and the episodes that they are said of. */
function sayings(said: readonly Said[]): string {
  const byCode = new Map<string, string[]>();
  for (const { code, severity, episode } of said) {
    const key = `${code}/${severity}`;
    const where = byCode.get(key) ?? [];
    byCode.set(key, where);
    where.push(episode === null ? 'set' : String(episode));
  }
  const parts = [...byCode].map(([key, where]) => `${key}@${[...new Set(where)].join(',')}`);
  return parts.length === 0 ? 'nothing' : parts.join(' ');
}

/** Returns the false reports on a valid dataset: messages of severity warning or worse. */
export function accusations({ told }: Tried): Said[] {
  return told.said.filter(({ severity }) => atLeast(severity, 'warning'));
}
