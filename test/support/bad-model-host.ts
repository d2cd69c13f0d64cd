import { basename } from 'node:path';
import type { Runtime } from '../../src/labels/models/host/child/loaded-models.ts';
import { serveModels } from '../../src/labels/models/host/child/serve-models.ts';
import { misbehave } from './misbehave.ts';

/** A runtime whose models do what the name of their file says; one called `sound` gives back what it gets. */
const bad: Runtime = {
  id: 'bad',
  load: async ({ path }) => {
    const how = basename(path);
    if (how === 'no-model') throw new Error('the file is no model');
    return {
      paths: [],
      inputs: [],
      outputs: [],
      device: 'cpu',
      passed_over: null,
      run: async (inputs) => {
        if (how === 'refuses') throw new Error('it takes no such input');
        if (how === 'stop') process.kill(process.pid, 'SIGSTOP');
        if (how === 'sound') return inputs;
        misbehave(how);
        return new Promise(() => {});
      },
      release: async () => {},
    };
  },
};

serveModels(() => [bad]);
