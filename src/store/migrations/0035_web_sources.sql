ALTER TABLE "runs" ADD COLUMN "source_revision" text;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "bytes_fetched" bigint DEFAULT 0 NOT NULL;