'use strict';
// Fits V8 to a program that does in a second or two what it was started for, in several threads.

const { setFlagsFromString } = require('node:v8');

/**
 * Without these the threads optimise, each for itself, code that runs a few thousand times, and collect their garbage
 * while what they hold still grows. Loops over samples reach the count in a few hundred episodes, code that runs a few
 * times an episode never does.
 */
function tuneV8() {
  setFlagsFromString('--invocation-count-for-turbofan=60000');
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=300');
  setFlagsFromString('--max-maglev-inlined-bytecode-size-cumulative=300');
  // Of threads started from now on; what they may reach at most is for whoever starts them to say.
  setFlagsFromString('--initial-heap-size=128');
  setFlagsFromString('--min-semi-space-size=8');
}

module.exports = { tuneV8 };
