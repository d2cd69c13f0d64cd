import type { Figures } from './figures.ts';

/** Prints the figures as a table: a row a family, with the flags that went up. */
export function printFigures(figures: Figures, half: string, print: (line: string) => void): void {
  const percent = (share: number) => `${(100 * share).toFixed(share === 1 ? 0 : 1)} %`;
  const row = (cells: readonly string[]) =>
    print(cells.map((cell, i) => (i === 0 ? cell.padEnd(20) : cell.padStart(8))).join(' '));
  row(['family', 'planted', 'AUC', 'found', 'small', 'medium', 'large', 'named', ' flags raised']);
  for (const family of figures.families) {
    const flags = Object.entries(family.raised).slice(0, 4);
    row([
      family.timeline ? `${family.family} *` : family.family,
      String(family.trials),
      family.auc.toFixed(4),
      percent(family.detected),
      percent(family.bySize.small ?? 0),
      percent(family.bySize.medium ?? 0),
      percent(family.bySize.large ?? 0),
      percent(family.right),
      ` ${flags.map(([flag, count]) => `${flag} ${count}`).join(', ')}`,
    ]);
  }
  print(`* timeline families; seeds: the ${half} half`);
  print(`AUC ${figures.auc.toFixed(4)}, timeline ${figures.aucTimeline.toFixed(4)}`);
  print(`detected ${percent(figures.detected)}, right flag in ${percent(figures.right)} of the detections`);
  const bases = Object.entries(figures.cleanByBase).map(([base, share]) => `${base} ${percent(share)}`);
  print(`clean accepted ${percent(figures.cleanAccepted)} (${bases.join(', ')})`);
  for (const [twin, { trials, accepted }] of Object.entries(figures.cleanByTwin))
    print(`  look-alike ${twin}: ${percent(accepted)} of ${trials} accepted`);
}
