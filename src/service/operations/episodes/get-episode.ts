import type { Episode } from '#core/api';
import { viewsOf } from '#quality/readiness';
import { episodeRows, type Store } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { loadEpisode } from './load-episode.ts';
import { readReceipt } from './read-receipt.ts';
import { linksOf, reviewOf, summaryOf } from './views.ts';

/** One episode with everything its receipt says of it, and its newest review. Throws `not_found`. */
export async function getEpisode(
  store: Store,
  call: Call,
  { episode_id }: { readonly episode_id: string },
): Promise<Episode> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const { episode, receipt: place, pinned_kind } = await loadEpisode(scope, episode_id);
  const [newest] = await episodeRows.listReviews(scope, { episode_id, before: null, limit: 1 });
  const receipt = await readReceipt(store, place);
  const { kind, derived_kind } = episode;
  return {
    ...summaryOf(episode, episode.project_id, pinned_kind),
    kind_facts: {
      from: pinned_kind === null ? 'streams' : 'pinned',
      by_streams: derived_kind ?? kind,
      judged_as: kind,
      evidence: receipt.kind.evidence,
    },
    decision_reason: receipt.decision_reason,
    flag_details: receipt.flags,
    tasks: receipt.episode.tasks,
    outcome_facts: receipt.episode.outcome,
    findings: receipt.findings,
    limits: receipt.limits,
    locator: receipt.episode.locator,
    sources: receipt.sources,
    grippers: receipt.grippers,
    streams: receipt.streams,
    views: views(receipt),
    receipt: {
      id: place.id,
      content_hash: place.content_hash,
      settings_hash: place.settings_hash,
      engine_version: receipt.engine.version,
      sealed_at: place.created_at.toISOString(),
    },
    review: newest === undefined ? null : reviewOf(newest, episode.receipt_id),
    links: linksOf(episode),
  };
}

/** Copies, because the contract's lists may be written to. */
function views(receipt: Parameters<typeof viewsOf>[0]): Episode['views'] {
  const { integrity, semantic, utility } = viewsOf(receipt);
  return {
    integrity: { score: integrity.score, checks: [...integrity.checks] },
    semantic: { score: semantic.score, checks: [...semantic.checks] },
    utility: { signals: [...utility.signals] },
  };
}
