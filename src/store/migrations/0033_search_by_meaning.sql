-- Sentences of a text of up to 20,000 characters.
CREATE FUNCTION text_sentences(said text) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT regexp_split_to_array(left(said, 20000), E'(?<=[.!?])\\s+')
$$;--> statement-breakpoint
-- Keys of texts in text_vectors, each once: null if there are none.
CREATE FUNCTION text_keys(texts text[]) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT array_agg(DISTINCT left(md5(one), 12)) FROM unnest(texts) AS one WHERE btrim(one) <> ''
$$;--> statement-breakpoint
CREATE TABLE "text_vectors" (
	"tenant_id" text NOT NULL,
	"project_id" text NOT NULL,
	"model" text NOT NULL,
	"key" text NOT NULL,
	"vector" vector NOT NULL,
	CONSTRAINT "text_vectors_tenant_id_project_id_model_key_pk" PRIMARY KEY("tenant_id","project_id","model","key")
);
--> statement-breakpoint
-- Vectors do not shrink by compression, and are read faster from the table itself.
ALTER TABLE "text_vectors" ALTER COLUMN "vector" SET STORAGE PLAIN;--> statement-breakpoint
ALTER TABLE "annotations" ADD COLUMN "sentences" text[];--> statement-breakpoint
ALTER TABLE "annotations" ADD COLUMN "sentence_keys" text[] GENERATED ALWAYS AS (text_keys(sentences)) STORED;--> statement-breakpoint
CREATE INDEX "annotations_sentences" ON "annotations" USING gin ("sentence_keys") WHERE sentence_keys IS NOT NULL;