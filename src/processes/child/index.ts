export { advance, begin, idle } from './progress.ts';
export { underWatch } from './under-watch.ts';
