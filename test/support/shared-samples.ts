import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateSamples, recordingsFolder, type SampleManifest } from '#apps/samples';

export interface SharedSamples {
  /** The folder of the sets. */
  readonly recordings: string;
  readonly manifest: SampleManifest;
}

/** The sample recordings, made once for all test files of this run: to be read, never changed. */
export async function sharedSamples(): Promise<SharedSamples> {
  const templates = process.env.ASSAY_TEST_RUN_FOLDER ?? tmpdir();
  const samples = join(templates, 'samples');
  if (!existsSync(samples)) {
    const own = mkdtempSync(join(templates, 'half-'));
    await generateSamples(join(own, 'samples'));
    try {
      renameSync(join(own, 'samples'), samples);
    } catch {
      // Another test file was faster; its samples are as good.
    }
    rmSync(own, { recursive: true, force: true });
  }
  return { recordings: join(samples, recordingsFolder), manifest: await generateSamples(samples) };
}
