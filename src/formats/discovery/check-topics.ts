import { AssayError } from '#core';
import type { RecordingsSource, SourceTree } from '#io/sources';
import {
  type CheckOptions,
  crossEpisodeFindings,
  type MappingCheck,
  readFacts,
} from '../mapped/check-mapping.ts';
import { parseTopicMapping } from '../mapped/mapping.ts';
import { SignalFacts } from '../mapped/signal-facts.ts';
import { discover } from './discover.ts';
import { topicFormats } from './topic-mapping.ts';

/**
 * Reads all recordings of the folder through its topic mapping and returns what each mapped stream contained, with
 * findings; `ok` is false if a finding is an error. Only recordings in the folder itself count, not those of datasets
 * in its subfolders.
 * @param path the mapping file
 * @throws AssayError `unreadable_input` if the mapping is invalid, `not_found` if the folder holds no MCAP files or
 * bags
 */
export async function checkTopics(
  tree: SourceTree,
  path: string,
  source: RecordingsSource,
  options: CheckOptions,
): Promise<MappingCheck> {
  const { streams } = parseTopicMapping(await tree.text(path, 1024 * 1024), path);
  const { datasets } = await discover(source);
  try {
    const bags = datasets.find((found) => found.path === '' && topicFormats.has(found.dataset.facts.format));
    if (bags === undefined)
      throw new AssayError('not_found', `${tree.label} has no MCAP files or bags beside ${path}`, {
        path: tree.label,
        advice: 'put the mapping into the folder of the recordings',
      });
    const facts = await readFacts(bags.dataset, options, new Set(streams.map(({ id }) => id)));
    const findings = [...facts.findings, ...crossEpisodeFindings(facts, null)];
    return {
      mapping: path,
      ok: !findings.some(({ severity }) => severity === 'error' || severity === 'blocking'),
      recordings: bags.dataset.units.length,
      episodes: facts.episodes.size,
      unreadable: facts.unreadable,
      rows: facts.rows,
      streams: streams.map(({ id, role, unit, topic, fields, optional }) => ({
        ...{ id, role, source: fields.map((field) => `${topic} ${field}`), is_optional: optional },
        ...(facts.signals.get(id) ?? new SignalFacts()).result(),
        unit: unit.unit === 'unknown' ? null : unit.unit,
      })),
      cameras: [],
      clocks: [...facts.clocks].map(([name, clock]) => clock.result(name)),
      ...{ tasks: null, outcomes: null, unused: [], findings },
    };
  } finally {
    for (const { dataset } of datasets) await dataset.close();
  }
}
