import { measureFaults, missedFloors, seedHalves } from './main.ts';
import { printFigures } from './print-figures.ts';

/** `node bench/faults/tune.ts [--quick]`: the half of the seeds that thresholds are set on. */
const figures = await measureFaults(process.argv.includes('--quick'), seedHalves.tuning);
printFigures(figures, 'tuning', (line) => console.log(line));
for (const line of missedFloors(figures)) console.log(`missed: ${line}`);
