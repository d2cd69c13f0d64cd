/** A topic of one file of a bag, as metadata.yaml describes topics. */
export interface BagTopic {
  readonly name: string;
  readonly type: string;
  readonly serialization_format: string;
  /** As the recorder kept it: a YAML text; empty where the file has none. */
  readonly offered_qos_profiles: string;
  readonly type_description_hash: string;
  messages: number;
}

/** What metadata.yaml has to say of one file of a bag, counted in the file itself. */
export interface BagFile {
  /** Relative to the dataset. */
  readonly path: string;
  readonly storage: 'mcap' | 'sqlite3';
  readonly messages: number;
  /** Times of the first and last message by their stamps; null without messages. */
  readonly first_ns: bigint | null;
  readonly last_ns: bigint | null;
  readonly topics: readonly BagTopic[];
  /** Each message is a zstd frame. */
  readonly compressed: boolean;
}
