import type { Finding } from '#core/episode';

/** Tasks in which damage is known, by those who convert the set (any4lerobot) and by reports to its makers. */
const known = [
  {
    code: 'known_long_actions',
    what: 'some episodes have more commands than states',
    advice: 'look at what is found in their episodes; converters leave these out',
    tasks: [352, 354, 359, 361, 368, 376, 377, 410, 414, 421],
  },
  {
    code: 'known_broken_videos',
    what: 'some videos are broken',
    advice: 'look at what is found in their cameras; converters leave these episodes out',
    tasks: [380, 384, 428, 460, 505, 510, 711],
  },
  {
    code: 'known_misaligned_videos',
    what: 'frames are reported to lie beside their states',
    advice: 'hold pictures against the motion before training on these tasks',
    tasks: [361, 362, 392, 475, 532, 543, 570, 595, 620],
  },
] as const;

/** One finding a kind of damage, with those of its tasks that are here. */
export function knownTaskFindings(tasks: ReadonlySet<string>): Finding[] {
  return known.flatMap(({ code, what, advice, tasks: damaged }) => {
    const here = damaged.filter((task) => tasks.has(String(task)));
    if (here.length === 0) return [];
    const named = `${here.length === 1 ? 'task' : 'tasks'} ${here.join(', ')}`;
    return [
      {
        ...{ code, severity: 'warning', path: null },
        message: `known of ${named}: ${what}`,
        advice,
        evidence: { tasks: [...here] },
      },
    ];
  });
}
