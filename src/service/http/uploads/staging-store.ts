import { FileStore } from '@tus/file-store';
import { Upload } from '@tus/server';
import { removeUploadFile, uploadProgress } from '#service/operations';
import { stageUploadFile, stagingFolder } from '#store';
import type { Served } from '../handler.ts';

/** Rows say what files are, not files beside them. */
const noConfig = { get: async () => undefined, set: async () => {}, delete: async () => {} };

/**
 * Files on their way, as one caller may see them. What a file is, its row says; how much of it came, the size of its
 * bytes in the staging folder, which is right after any crash.
 */
export class StagingStore extends FileStore {
  readonly #served: Served;

  constructor(served: Served) {
    super({ directory: stagingFolder(served.store), configstore: noConfig });
    this.extensions = ['creation', 'creation-with-upload', 'termination'];
    this.#served = served;
  }

  override async create(upload: Upload): Promise<Upload> {
    await stageUploadFile(this.#served.store, upload.id, { fresh: true });
    return upload;
  }

  override async getUpload(id: string): Promise<Upload> {
    const { store, call } = this.#served;
    const { file, received } = await uploadProgress(store, call, { id });
    // Bytes may be lost with the disk they lay on: then they are asked for again.
    if (file.state === 'receiving') await stageUploadFile(store, id, { fresh: false });
    const { source_id, path, sha256, bytes } = file;
    return new Upload({ id, size: bytes, offset: received, metadata: { source_id, path, sha256 } });
  }

  override async remove(id: string): Promise<void> {
    const { store, call } = this.#served;
    await removeUploadFile(store, call, { id });
  }
}
