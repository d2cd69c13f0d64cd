import type { CopilotProvider } from '#store';
import type { Bench, BenchOptions } from '../bench.ts';
import { type Done, doTask } from './do-task.ts';
import { openStage } from './stage.ts';
import { tasks } from './tasks.ts';

/** Share of the tasks whose end holds: the scripted model has no excuse, a real one is told as it is. */
const least = 1;

export const copilotTasksBench: Bench = {
  id: 'copilot-tasks',
  title: `The copilot at ${tasks.length} tasks in plain words (a scripted model; a real one with ASSAY_BENCH_COPILOT_URL and _MODEL)`,
  run: async (options) => {
    const real = realModel();
    const stage = await openStage(real);
    try {
      const done = await doAll(stage, options);
      const failed = tasks.filter((_, at) => !done[at].holds).map(({ id }) => id);
      const share = 1 - failed.length / tasks.length;
      const rounds = sum(done, ({ rounds }) => rounds) / tasks.length;
      const cost_usd = sum(done, ({ cost_usd }) => cost_usd);
      const model = real?.models[0] ?? 'scripted';
      options.print(
        `  ${model}: ${tasks.length - failed.length} of ${tasks.length} tasks, ${rounds.toFixed(2)} rounds a task, $${cost_usd.toFixed(4)}`,
      );
      for (const id of failed) options.print(`    not done: ${id}`);
      return {
        passed: real !== undefined || share >= least,
        figures: { model, share, rounds, cost_usd, failed },
      };
    } finally {
      await stage.close();
    }
  },
};

async function doAll(stage: Parameters<typeof doTask>[0], { print }: BenchOptions): Promise<Done[]> {
  const done: Done[] = [];
  for (const [at, task] of tasks.entries()) {
    done.push(await doTask(stage, task));
    if ((at + 1) % 20 === 0) print(`  ${at + 1} of ${tasks.length}`);
  }
  return done;
}

const sum = (done: readonly Done[], of: (one: Done) => number) =>
  done.reduce((total, one) => total + of(one), 0);

/** A server that speaks OpenAI's protocol, OpenRouter included; undefined: the scripted model answers. */
function realModel(): CopilotProvider | undefined {
  const {
    ASSAY_BENCH_COPILOT_URL: base_url,
    ASSAY_BENCH_COPILOT_MODEL: model,
    ASSAY_BENCH_COPILOT_KEY: key,
  } = process.env;
  if (base_url === undefined || model === undefined) return undefined;
  return { id: 'compatible', base_url, api_key: key ?? null, models: [model], silence_ms: 60_000 };
}
