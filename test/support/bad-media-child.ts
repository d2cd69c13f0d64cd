import { basename } from 'node:path';
import { beginRequest, endRequest, startWatchdog } from '#io/processes';
import type { FromChild, ToChild } from '../../src/io/media/protocol.ts';
import { misbehave } from './misbehave.ts';

/** A media child under the real watchdog that does with every request what the name of its file says. */
const send = (message: FromChild) => process.send?.(message);

const refusals: Readonly<Record<string, string>> = {
  refused: 'EMFILE: too many open files',
  closed: "EACCES: permission denied, open '/x/closed'",
};

startWatchdog(() => send({ kind: 'ready' }));

process.on('message', (message: ToChild) => {
  if (message.kind === 'close-files') return;
  const {
    id,
    request: { frames },
  } = message;
  beginRequest();
  const how = 'path' in frames.locator ? basename(frames.locator.path) : '';
  if (how === 'stop') process.kill(process.pid, 'SIGSTOP');
  if (how in refusals) send({ kind: 'failed', cpu_ms: 0, id, reason: refusals[how], isMachineFault: true });
  else if (how === 'fault')
    send({ kind: 'failed', cpu_ms: 0, id, reason: 'a fault of the program', isMachineFault: false });
  else misbehave(how);
  if (how in refusals || how === 'fault') endRequest();
});
