import { parseJson } from '#core';
import { jobLayerOf } from '#labels/annotation';
import type { AnnotateRequest } from '../messages.ts';
import type { StepContext } from '../step-context.ts';
import type { AnnotateItem } from '../units.ts';
import { EpisodeInputs, type Input } from './episode-inputs.ts';
import { type Failed, failedBy } from './failed-by.ts';
import { LayerTask } from './layer-task.ts';
import { runLanes } from './run-lanes.ts';

/** Annotates episodes, and hands them over a second's work at a time; one that fails fails alone. */
export async function annotate(request: AnnotateRequest, context: StepContext): Promise<void> {
  const tasks = request.tasks.map((task, at) => new LayerTask(task, at, context));
  const items = parseJson(request.items);
  await using inputs = new EpisodeInputs(items, request, context);
  try {
    for (const item of items) {
      context.signal.throwIfAborted();
      const { place } = item;
      // A thread that dies under several layers is known by its range; each is then done by itself.
      if (tasks.length === 1) context.begin(place);
      const due = tasks.filter((task) => task.has(place));
      const from_ms = performance.now();
      const read = await readFor(item, inputs);
      const share_ms = (performance.now() - from_ms) / due.length;
      if ('error' in read) for (const task of due) await task.fail(place, read, { ms: share_ms });
      else await annotateOne(place, due, read, share_ms, context);
      context.progress(due.length, 0);
    }
    for (const task of tasks) await task.end();
    await context.settled();
  } catch (thrown) {
    for (const task of tasks) task.discard();
    throw thrown;
  }
}

/** What there is to annotate of an episode, or why it cannot be read. */
async function readFor(item: AnnotateItem, inputs: EpisodeInputs): Promise<Input | Failed> {
  try {
    return await inputs.of(item);
  } catch (thrown) {
    return failedBy(thrown);
  }
}

async function annotateOne(
  place: number,
  due: readonly LayerTask[],
  input: Input,
  share_ms: number,
  { lanes: resources, signal, progress }: StepContext,
): Promise<void> {
  const lanes = due.map(({ task: { layer, config, models } }) => ({
    row: jobLayerOf(layer),
    config,
    models,
  }));
  const tools = { resources, signal, progress: () => progress(0, 0) };
  for await (const { lane, told, own_ms, meter } of runLanes(lanes, input, tools)) {
    const task = due[lanes.indexOf(lane)];
    const took = { ms: share_ms + own_ms, meter };
    if ('thrown' in told) await task.fail(place, failedBy(told.thrown), took);
    else await task.add(place, told, took);
  }
}
