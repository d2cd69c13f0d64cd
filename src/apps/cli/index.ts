export { type Io, processIo } from './io.ts';
export type {
  DataArguments,
  Launcher,
  ModelEnvironment,
  Running,
  ServeArguments,
  WorkerArguments,
} from './launcher.ts';
export { runCli } from './program.ts';
export { signInAddress } from './sign-in-address.ts';
export { version } from './version.ts';
