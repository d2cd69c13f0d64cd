import { canonicalJson, sha256 } from '#core';
import type { CertificationPolicy, LayerId } from '#core/api';
import { engine } from '#quality/readiness';
import { evidenceRows, type Store } from '#store';
import { getAnnotationSettings } from '../annotation/get-annotation-settings.ts';
import type { Call } from '../call.ts';

/** What a project's report would be made of now. */
export interface EvidenceState {
  readonly episodes: number;
  /** Of receipts, layers and datasets. */
  readonly evidence_hash: string;
  /** Layers of annotation that the settings ask for. */
  readonly wanted: readonly LayerId[];
}

export async function evidenceState(store: Store, call: Call, project_id: string): Promise<EvidenceState> {
  const { tenant_id } = call.actor;
  const { episodes, hash } = await evidenceRows.evidenceState(store.database, { tenant_id, project_id });
  const { layers } = await getAnnotationSettings(store, call, { project_id });
  const wanted = layers.flatMap(({ id, mode, applicable }) => (mode === 'in_run' && applicable ? [id] : []));
  return { episodes, evidence_hash: hash, wanted };
}

/** Unlike that of any other report: the same gives the same bytes. */
export const inputHash = (
  { policy_hash, version }: Pick<CertificationPolicy, 'policy_hash' | 'version'>,
  { evidence_hash, wanted }: Pick<EvidenceState, 'evidence_hash' | 'wanted'>,
): string => sha256(canonicalJson({ engine, policy_hash, version, evidence_hash, wanted: [...wanted] }));
