/** A door of its own: a command starts the thread before it loads the rest. */
export { endIdleThreads, startThreadEarly } from './thread-pool.ts';
