import { parseArgs } from 'node:util';
import { figuresOf } from './figures.ts';
import { missedFloors, runAllTrials, seedHalves } from './main.ts';
import { printFigures } from './print-figures.ts';

/**
 * `node bench/faults/tune.ts [--quick] [--only ID,ID]`: the half of the seeds that thresholds are set on, with every
 * trial that went wrong and every clean episode that is not above suspicion; of the named families and look-alikes.
 */
const { values } = parseArgs({ options: { quick: { type: 'boolean' }, only: { type: 'string' } } });
const { trials, clean } = await runAllTrials(
  values.quick ? 'quick' : 'full',
  seedHalves.tuning,
  values.only?.split(','),
);
for (const { base, twin, episode, suspicion, accepted, flags, messages } of clean) {
  if (accepted && suspicion < 0.4 && flags.length === 0) continue;
  console.log(
    `clean ${base} ${twin ?? '-'} ${episode} ${suspicion.toFixed(3)} accepted ${accepted} ${flags} ${messages.join(' | ')}`,
  );
}
for (const { family, size, base, episode, suspicion, raised, right } of trials) {
  if (!right) console.log(`${family} ${size} in ${base} ${episode}: ${suspicion.toFixed(3)} [${raised}]`);
}
const figures = figuresOf(trials, clean);
printFigures(figures, 'tuning', (line) => console.log(line));
for (const line of missedFloors(figures)) console.log(`missed: ${line}`);
const worst = Math.max(...clean.map((trial) => trial.suspicion));
const weakest = Math.min(...trials.filter((trial) => trial.timeline).map((trial) => trial.suspicion));
console.log(`most suspicious clean episode ${worst}, least suspicious timeline fault ${weakest}`);
