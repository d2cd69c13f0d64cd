import { z } from 'zod';
import { significant } from '#core';
import type { MetricBounds } from '#core/api';
import { metricTitles } from '#core/titles';
import { type EpisodeEvidence, type Metric, notAssessable, type Observation } from '../metric.ts';
import { readCheck } from '../read-check.ts';

const values = z.looseObject({
  labels: z.number(),
  boxes: z.number(),
  outside: z.number(),
  empty: z.number(),
  unnamed: z.number(),
});

export const annotationCoverage: Metric = {
  id: 'annotation.coverage',
  title: metricTitles['annotation.coverage'],
  unit: 'ratio',
  direction: 'higher_is_better',
  formula:
    'recordings with labels: 1 − (boxes outside the image or without area + labels without a category) / labels, 0 without labels; otherwise, if the policy requires this metric, annotation layers with output / layers that the settings request',
  inputs: 'labels counted by the Label coverage and validity check; annotation layers',
  boundaries: {
    ideal: 0.98,
    review: 0.9,
    allowed_share: 0.05,
    source: 'annotation_coverage flags one wrong box in ten',
  },
  observe(evidence, need) {
    const read = readCheck(evidence.receipt, 'annotation_coverage', values);
    return read.status === 'measured'
      ? observeLabels(read.values)
      : observeLayers(evidence, need, read.reason);
  },
};

function observeLabels({ labels, outside, empty, unnamed }: z.infer<typeof values>): Observation {
  const invalid = outside + empty + unnamed;
  return {
    observed: labels === 0 ? 0 : significant(Math.max(0, 1 - invalid / labels)),
    confidence: 'high',
    inputs: { labels, outside, empty, unnamed },
    provenance: 'measured by the Label coverage and validity check, over every label',
  };
}

function observeLayers(
  { annotations }: EpisodeEvidence,
  need: MetricBounds['need'],
  reason: string,
): Observation {
  if (need !== 'required') return notAssessable(`${reason}, and the policy does not require annotations`);
  const layers = annotations?.layers;
  if (layers === undefined) return notAssessable(`${reason}, and it was not annotated`);
  if (layers.wanted.length === 0) return notAssessable(`${reason}, and no annotation layer is requested`);
  const produced = layers.wanted.filter((layer) => layers.produced.includes(layer));
  return {
    observed: significant(produced.length / layers.wanted.length),
    confidence: 'high',
    inputs: { wanted: [...layers.wanted], produced },
    provenance: 'annotation layers',
  };
}
