/** Separate entry point, so that a command can start a thread before it loads the rest. */
export { endIdleThreads, startThreadEarly } from './path-threads.ts';
